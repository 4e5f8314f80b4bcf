package dev.partita.postgres;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Keeps a node from writing to a schema that was migrated, while the node ran, to a version it does
 * not understand. Looked through whenever a lane connects, whenever the database is checked, and
 * once a minute. Closed, it lets nothing through; it opens again if the schema is put back. Safe
 * for use by any number of threads.
 */
final class SchemaGate {

  private static final System.Logger LOG = System.getLogger(SchemaGate.class.getName());

  private final String schema;
  private volatile String refusal = "";

  /** The schema is too new for this program. */
  static final class TooNewException extends SQLException {
    private static final long serialVersionUID = 1;

    TooNewException(String why) {
      super(why, "0A000");
    }

    UnavailableException unavailable(boolean unknown) {
      return new UnavailableException(
          Reason.SCHEMA_TOO_NEW,
          unknown ? Outcome.UNKNOWN : Outcome.NOT_POSTED,
          getMessage() + (unknown ? "" : "; nothing was posted"),
          this);
    }
  }

  SchemaGate(String schema) {
    this.schema = schema;
  }

  /**
   * Looks at the schema.
   *
   * @throws TooNewException if this program does not understand it; the gate is closed then
   */
  void look(Connection connection) throws SQLException {
    int version;
    int understoodBy;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT version, understood_by FROM " + schema + ".schema_version()")) {
      row.next();
      version = row.getInt(1);
      understoodBy = row.getInt(2);
    }
    see(version, understoodBy);
  }

  /** As {@link #look}, with what was read. */
  void see(int version, int understoodBy) throws TooNewException {
    SchemaStatus status = PostgresSchema.known(schema, version, understoodBy);
    if (status.state() != SchemaStatus.State.TOO_NEW) {
      refusal = "";
      return;
    }
    if (refusal.isEmpty()) {
      LOG.log(Level.ERROR, "nothing is recorded any more: {0}", status.describe());
    }
    refusal = status.describe();
    throw new TooNewException(refusal);
  }

  boolean isOpen() {
    return refusal.isEmpty();
  }

  /**
   * Requires that the schema is understood, as far as is known.
   *
   * @throws UnavailableException saying what to do
   */
  void requireOpen() {
    String why = refusal;
    if (!why.isEmpty()) {
      throw new TooNewException(why).unavailable(false);
    }
  }
}
