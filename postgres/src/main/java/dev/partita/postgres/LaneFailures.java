package dev.partita.postgres;

import dev.partita.CorruptionException;
import dev.partita.LedgerException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.sql.SQLException;

/** What callers are told when a lane could not serve them. */
final class LaneFailures {

  private LaneFailures() {}

  /** Of a request that fails every time, alone. */
  static LedgerException culprit(Ticket ticket, Throwable cause) {
    if (cause instanceof CorruptionException corruption) {
      return corruption;
    }
    if (cause instanceof SQLException sql) {
      return new UnavailableException(
          Reason.DATABASE_ERROR,
          ticket.isUnknown() ? Outcome.UNKNOWN : Outcome.NOT_POSTED,
          "the database refused the request, twice: " + SqlFailures.describe(sql),
          sql);
    }
    return new CorruptionException("a request cannot be decided: " + cause, cause);
  }

  /** Of a request whose deadline has passed, whether or not something of it may be recorded. */
  static UnavailableException timedOut(boolean unknown) {
    return new UnavailableException(
        Reason.TIMED_OUT,
        unknown ? Outcome.UNKNOWN : Outcome.NOT_POSTED,
        unknown
            ? "a commit got no answer and could not be resolved in time; repeat the request"
            : "it could not be recorded in time; nothing was posted",
        null);
  }
}
