package dev.partita.postgres;

import dev.partita.postgres.RecordWriter.UnknownCommitException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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

  /** SQLSTATE of a connection that cannot serve as a lane, whoever tries. */
  static final String NO_SESSION = "0A000";

  private final DataSource dataSource;
  private final String schema;
  private final String synchronousCommit;
  private final Duration networkTimeout;

  LaneConnection(DataSource dataSource, PostgresConfig config) {
    this.dataSource = dataSource;
    this.schema = config.schema();
    this.synchronousCommit = config.synchronousCommit();
    this.networkTimeout = config.patience();
  }

  /** Connects, prepares the session and passes the barrier. */
  Connection open() throws SQLException, UnknownCommitException {
    Connection connection = dataSource.getConnection();
    boolean ready = false;
    try {
      connection.setAutoCommit(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(networkTimeout.toMillis()));
      // Plans for ever: the tables grow, and a plan made while they were small must not scan them.
      connection.unwrap(PGConnection.class).setPrepareThreshold(1);
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "SET synchronous_commit = "
                + synchronousCommit
                + "; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"
                + "; SET jit = off; SET lock_timeout = 250; SET statement_timeout = 0"
                + "; SET default_transaction_read_only = off"
                + "; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0"
                + "; SET array_nulls = on");
      }
      passBarrier(connection);
      requireSession(connection);
      ready = true;
      return connection;
    } finally {
      if (!ready) {
        discard(connection);
      }
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
  static void release(Connection connection) {
    try {
      try (Statement statement = connection.createStatement()) {
        statement.execute("RESET ALL");
      }
      connection.setNetworkTimeout(Runnable::run, 0);
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
  private static void requireSession(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('plan_cache_mode'), current_setting('lock_timeout')")) {
      row.next();
      if (!row.getString(1).equals("force_generic_plan") || !row.getString(2).equals("250ms")) {
        throw new SQLException(
            "the connection does not keep its settings from one transaction to the next; give the"
                + " ledger a session connection, not one through transaction pooling",
            NO_SESSION);
      }
    }
  }
}
