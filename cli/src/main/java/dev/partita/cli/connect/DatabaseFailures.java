package dev.partita.cli.connect;

import dev.partita.LedgerException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.net.UnknownHostException;
import java.sql.SQLException;

/** What errors of a database that the user named mean to her. */
public final class DatabaseFailures {

  /** SQLSTATE classes. */
  private static final String LOGIN_REFUSED = "28";

  private static final String CONNECTION = "08";
  private static final String OPERATOR_INTERVENED = "57P";

  /** SQLSTATEs; the driver's own where a password is asked for and there is none. */
  private static final String NO_PASSWORD = "08004";

  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String NOT_ALLOWED = "42501";

  private DatabaseFailures() {}

  /** That there is no connection. */
  public static LedgerException connecting(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith(LOGIN_REFUSED) || state.equals(NO_PASSWORD)) {
      return new MisuseException(
          "--user",
          "the database refuses this login ("
              + e.getMessage()
              + "); give --user or PARTITA_USER, and PARTITA_PASSWORD");
    }
    if (state.equals(NO_SUCH_DATABASE)) {
      return new MisuseException("--url", String.valueOf(e.getMessage()));
    }
    return new UnavailableException(
        Reason.DATABASE_UNAVAILABLE,
        Outcome.NOT_POSTED,
        "cannot connect to the database: "
            + (e.getCause() instanceof UnknownHostException unknown
                ? "there is no host " + unknown.getMessage()
                : e.getMessage()),
        e);
  }

  /** That a statement failed where none should. */
  public static LedgerException working(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.equals(NOT_ALLOWED)) {
      return new MisuseException("--user", "the database does not allow it: " + e.getMessage());
    }
    boolean gone = state.startsWith(CONNECTION) || state.startsWith(OPERATOR_INTERVENED);
    return new UnavailableException(
        gone ? Reason.DATABASE_UNAVAILABLE : Reason.DATABASE_ERROR,
        Outcome.NOT_POSTED,
        (gone ? "the database has gone: " : "the database refused: ") + e.getMessage(),
        e);
  }
}
