package dev.partita.postgres;

import dev.partita.postgres.RecordWriter.UnknownCommitException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * A session connection for a lane: with the settings that its statements rely on, and a barrier
 * passed before anything is answered on it.
 *
 * <p>It stays in auto-commit: BEGIN and COMMIT are part of the lane's own statements, because the
 * driver sends its BEGIN as a message of its own.
 *
 * <p>The barrier is a committed write. Without it a node that reconnects to a server which has lost
 * its standbys, or was replaced, could answer a replay from data that is not safe there.
 */
final class LaneConnection {

  static final String SESSION_WANTED =
      "give the ledger a session connection, not one through transaction pooling";

  /** What a lane's statements rely on. Time-outs in milliseconds; 0 is none. */
  private static final Map<String, String> SETTINGS = settings();

  private final DataSource dataSource;
  private final String schema;
  private final String synchronousCommit;
  private final Duration networkTimeout;
  private final SchemaGate gate;
  private Found found = new Found(true, Connection.TRANSACTION_READ_COMMITTED, 0, 0, Map.of());
  private int session;

  /** How a connection was found; of the settings those that its session had set. */
  private record Found(
      boolean autoCommit,
      int isolation,
      int networkTimeoutMillis,
      int prepareThreshold,
      Map<String, String> settings) {}

  /** The connection does not stay with one session of the server, as a lane needs it to. */
  static final class NoSessionException extends SQLException {
    private static final long serialVersionUID = 1;

    NoSessionException(String why) {
      super(why + "; " + SESSION_WANTED, "0A000");
    }
  }

  LaneConnection(DataSource dataSource, PostgresConfig config, SchemaGate gate) {
    this.gate = gate;
    this.dataSource = dataSource;
    this.schema = config.schema();
    this.synchronousCommit = config.synchronousCommit();
    this.networkTimeout = config.patience();
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("enable_seqscan", "off");
    settings.put("plan_cache_mode", "force_generic_plan");
    settings.put("jit", "off");
    settings.put("lock_timeout", "250");
    settings.put("statement_timeout", "0");
    settings.put("default_transaction_read_only", "off");
    settings.put("idle_in_transaction_session_timeout", "0");
    settings.put("idle_session_timeout", "0");
    settings.put("array_nulls", "on");
    settings.put("synchronous_commit", ""); // The configuration says it.
    return settings;
  }

  /** Connects, prepares the session and passes the barrier. */
  Connection open() throws SQLException, UnknownCommitException {
    Connection connection = dataSource.getConnection();
    boolean ready = false;
    try {
      PGConnection driver = connection.unwrap(PGConnection.class);
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(true);
      found =
          new Found(
              autoCommit,
              connection.getTransactionIsolation(),
              connection.getNetworkTimeout(),
              driver.getPrepareThreshold(),
              settingsOfSession(connection));
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(networkTimeout.toMillis()));
      // Plans for ever: the tables grow, and a plan made while they were small must not scan them.
      driver.setPrepareThreshold(1);
      session = set(connection);
      gate.look(connection);
      passBarrier(connection);
      requireSettings(connection);
      ready = true;
      return connection;
    } finally {
      if (!ready) {
        discard(connection);
      }
    }
  }

  /** Sets what the lane relies on; answers the number of the session that has it now. */
  private int set(Connection connection) throws SQLException {
    StringBuilder text = new StringBuilder("SELECT pg_catalog.pg_backend_pid()");
    SETTINGS.forEach(
        (name, value) ->
            text.append("; SET ")
                .append(name)
                .append(" = ")
                .append(value.isEmpty() ? synchronousCommit : value));
    try (Statement statement = connection.createStatement()) {
      statement.execute(text.toString());
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static Map<String, String> settingsOfSession(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session'")) {
      while (rows.next()) {
        if (SETTINGS.containsKey(rows.getString(1))) {
          settings.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    return settings;
  }

  /**
   * Requires that a transaction is in the session that was prepared: in another one the lane's
   * settings are not, and a commit may wait for nobody. A pool may go on for long before it changes
   * the session.
   *
   * @param backendPid what pg_backend_pid() is there
   */
  void requireSession(int backendPid) throws NoSessionException {
    if (backendPid != session) {
      throw new NoSessionException("the server's session behind the connection has changed");
    }
  }

  /** Ends the transaction, if there is one, and records nothing of it. */
  static void rollBack(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    }
  }

  /**
   * Ends a transaction that has nothing to record and whose answers depend on what it found, such
   * as replays and refusals. Where commits wait for standbys, so does this: another session's
   * commit whose wait was cut short is visible, and lost if a standby takes over.
   *
   * @throws SQLException if nothing may be answered
   * @throws UnknownCommitException likewise
   */
  static void confirmFound(Connection connection) throws SQLException, UnknownCommitException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "ROLLBACK; SELECT pg_logical_emit_message(true, 'partita', '')"
                + " WHERE current_setting('synchronous_standby_names') <> ''")) {
      statement.execute();
      RecordWriter.requireNoWarning(statement.getWarnings());
    }
  }

  /** Gives the connection back as it was found, or breaks it if that fails. */
  void release(Connection connection) {
    StringBuilder text = new StringBuilder();
    SETTINGS.keySet().forEach(name -> text.append("RESET ").append(name).append("; "));
    // The pool's own.
    found
        .settings()
        .forEach(
            (name, value) ->
                text.append("SET ").append(name).append(" = '").append(value).append("'; "));
    try {
      try (Statement statement = connection.createStatement()) {
        statement.execute(text.toString());
      }
      connection.unwrap(PGConnection.class).setPrepareThreshold(found.prepareThreshold());
      connection.setNetworkTimeout(Runnable::run, found.networkTimeoutMillis());
      connection.setTransactionIsolation(found.isolation());
      connection.setAutoCommit(found.autoCommit());
      connection.close();
    } catch (SQLException e) {
      discard(connection);
    }
  }

  /** Breaks the connection: whatever was in it is rolled back by the server. */
  static void discard(Connection connection) {
    try {
      connection.abort(Runnable::run);
      connection.close();
    } catch (SQLException e) {
      // It is gone, which is what was wanted.
      System.getLogger(LaneConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "discarding a connection", e);
    }
  }

  private void passBarrier(Connection connection) throws SQLException, UnknownCommitException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE " + schema + ".barrier SET passed = passed + 1")) {
      if (statement.executeUpdate() != 1) {
        throw new SQLException("the barrier has no row in schema " + schema, "XX001");
      }
      RecordWriter.requireNoWarning(statement.getWarnings());
    }
  }

  /**
   * A lane's settings must still be there in its next transaction: no transaction pooling between.
   */
  private void requireSettings(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('plan_cache_mode'), current_setting('lock_timeout'),"
                    + " pg_catalog.pg_backend_pid()")) {
      row.next();
      requireSession(row.getInt(3));
      if (!row.getString(1).equals("force_generic_plan") || !row.getString(2).equals("250ms")) {
        throw new NoSessionException(
            "the connection does not keep its settings from one transaction to the next");
      }
    }
  }
}
