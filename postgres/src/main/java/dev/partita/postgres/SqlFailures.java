package dev.partita.postgres;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What a failed statement means for the transaction it was in. */
final class SqlFailures {

  /** The kinds of failure that are handled differently. */
  enum Failure {
    /** Another transaction was faster; decide again and see what it did. */
    RACE,
    /** The accounts stayed locked for the lock time-out. */
    LOCK_TIMEOUT,
    /** The connection or the server is gone, going or read-only; connect again. */
    CONNECTION,
    /** Anything else: perhaps one request's own fault. */
    OTHER
  }

  private SqlFailures() {}

  static Failure classify(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      return failure instanceof SQLTransientConnectionException
              || failure.getCause() instanceof IOException
          ? Failure.CONNECTION
          : Failure.OTHER;
    }
    return switch (state) {
      case "23505", "40P01", "40001" -> Failure.RACE;
      case "55P03" -> Failure.LOCK_TIMEOUT;
      // 25006: the server became read-only (a standby, or a failover in progress).
      case "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "25P04" ->
          Failure.CONNECTION;
      default ->
          state.startsWith("08") || state.startsWith("53") || state.startsWith("28")
              ? Failure.CONNECTION
              : Failure.OTHER;
    };
  }

  /** For reading, and for writing outside a lane before anything was committed. */
  static UnavailableException unavailable(SQLException failure, String what) {
    Reason reason =
        classify(failure) == Failure.OTHER ? Reason.DATABASE_ERROR : Reason.DATABASE_UNAVAILABLE;
    return new UnavailableException(
        reason, Outcome.NOT_POSTED, what + ": " + describe(failure), failure);
  }

  static String describe(SQLException failure) {
    String state = failure.getSQLState();
    return failure.getMessage() + (state == null ? "" : " (SQLSTATE " + state + ")");
  }
}
