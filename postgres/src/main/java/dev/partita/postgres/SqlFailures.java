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
    /** The connection does not stay with one session: transaction pooling. */
    NO_SESSION,
    /** Anything else: perhaps one request's own fault. */
    OTHER
  }

  private SqlFailures() {}

  static Failure classify(SQLException failure) {
    String state = failure.getSQLState();
    if (failure instanceof LaneConnection.NoSessionException) {
      return Failure.NO_SESSION;
    }
    if (state == null) {
      return failure instanceof SQLTransientConnectionException
              || failure.getCause() instanceof IOException
          ? Failure.CONNECTION
          : Failure.OTHER;
    }
    return switch (state) {
      case "23505", "40P01", "40001" -> Failure.RACE;
      case "55P03" -> Failure.LOCK_TIMEOUT;
      // A statement that the driver has prepared is not there, or is there already.
      case "26000", "42P05" -> Failure.NO_SESSION;
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
        switch (classify(failure)) {
          case OTHER, NO_SESSION -> Reason.DATABASE_ERROR;
          case RACE, LOCK_TIMEOUT, CONNECTION -> Reason.DATABASE_UNAVAILABLE;
        };
    return new UnavailableException(
        reason, Outcome.NOT_POSTED, what + ": " + describe(failure), failure);
  }

  static String describe(SQLException failure) {
    String state = failure.getSQLState();
    return failure.getMessage() + (state == null ? "" : " (SQLSTATE " + state + ")");
  }
}
