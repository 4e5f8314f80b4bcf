package dev.partita.lab.run;

import java.sql.SQLException;

/** A schema of the lab's could not be taken away; the message says how to do it by hand. */
public final class LeftBehindException extends SQLException {

  private static final long serialVersionUID = 1;

  LeftBehindException(String drop, SQLException cause) {
    super(
        cause.getMessage() + " (a schema was left behind; take it away with " + drop + ")",
        cause.getSQLState(),
        cause);
  }
}
