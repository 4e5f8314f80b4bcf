package dev.partita.postgres;

import dev.partita.TimeSource;
import dev.partita.UnavailableException;
import dev.partita.postgres.DatabaseCondition.State;
import dev.partita.postgres.SqlFailures.Failure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;

/** What operators ask of a ledger's database. Each question waits for a bounded time. */
final class DatabaseWatch {

  /** For the server's answer once there is a connection. */
  private static final int ANSWER_MILLIS_MAX = 5_000;

  /**
   * Times are compared where the newest rows are; older ones cost as much as the ledger is long.
   */
  private static final int NEWEST_PAGES = 16;

  private static final String UNDEFINED_FUNCTION = "42883";
  private static final String INVALID_SCHEMA = "3F000";

  private final DataSource dataSource;
  private final PostgresConfig config;
  private final SchemaGate gate;

  DatabaseWatch(DataSource dataSource, PostgresConfig config, SchemaGate gate) {
    this.dataSource = dataSource;
    this.config = config;
    this.gate = gate;
  }

  private interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  private <T> T ask(Question<T> question) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int before = connection.getNetworkTimeout();
      boolean autoCommit = connection.getAutoCommit();
      connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS_MAX);
      connection.setAutoCommit(true);
      try {
        return question.ask(connection);
      } finally {
        if (!connection.isClosed()) {
          connection.setAutoCommit(autoCommit);
          connection.setNetworkTimeout(Runnable::run, before);
        }
      }
    }
  }

  DatabaseCondition condition() {
    try {
      return ask(this::condition);
    } catch (SchemaGate.TooNewException e) {
      return new DatabaseCondition(State.SCHEMA_UNUSABLE, String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      boolean gone =
          UNDEFINED_FUNCTION.equals(e.getSQLState()) || INVALID_SCHEMA.equals(e.getSQLState());
      return new DatabaseCondition(
          gone ? State.SCHEMA_UNUSABLE : State.UNREACHABLE, SqlFailures.describe(e));
    }
  }

  private DatabaseCondition condition(Connection connection) throws SQLException {
    String sql =
        "SELECT pg_catalog.pg_is_in_recovery(),"
            + " pg_catalog.current_setting('transaction_read_only') = 'on',"
            + " version, understood_by FROM "
            + config.schema()
            + ".schema_version()";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      if (row.getBoolean(1)) {
        return new DatabaseCondition(
            State.STANDBY, "the server is a standby; it cannot be written");
      }
      if (row.getBoolean(2)) {
        return new DatabaseCondition(
            State.READ_ONLY, "transactions are read-only: default_transaction_read_only is on");
      }
      gate.see(row.getInt(3), row.getInt(4));
      return new DatabaseCondition(State.WRITABLE, "");
    }
  }

  DatabaseReading reading() {
    try {
      return ask(this::reading);
    } catch (SQLException e) {
      Failure kind = SqlFailures.classify(e);
      throw new UnavailableException(
          kind == Failure.OTHER
              ? UnavailableException.Reason.DATABASE_ERROR
              : UnavailableException.Reason.DATABASE_UNAVAILABLE,
          UnavailableException.Outcome.NOT_POSTED,
          "reading what is worth watching: " + SqlFailures.describe(e),
          e);
    }
  }

  private DatabaseReading reading(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(readingSql())) {
      TimeSource clock = config.timeSource();
      statement.setObject(
          1,
          clock == null
              ? null
              : clock.now().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
      statement.execute();
      statement.getMoreResults(Statement.CLOSE_CURRENT_RESULT);
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return new DatabaseReading(
            since(row, 3, row.getObject(2, OffsetDateTime.class).toInstant()),
            row.getString(4) == null ? "" : row.getString(4),
            since(row, 5, row.getObject(1, OffsetDateTime.class).toInstant()),
            behind(row));
      }
    }
  }

  private static Duration since(ResultSet row, int column, Instant now) throws SQLException {
    OffsetDateTime begin = row.getObject(column, OffsetDateTime.class);
    return begin == null ? Duration.ZERO : positive(Duration.between(begin.toInstant(), now));
  }

  private static Duration behind(ResultSet row) throws SQLException {
    OffsetDateTime newest = row.getObject(6, OffsetDateTime.class);
    Instant now = row.getObject(1, OffsetDateTime.class).toInstant();
    return newest == null ? Duration.ZERO : positive(Duration.between(now, newest.toInstant()));
  }

  private static Duration positive(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  /**
   * The clock is read last of all, so that what was recorded meanwhile is not taken for later than
   * now. A transaction that has written keeps dead rows as one with a snapshot does. A prepared one
   * has no session.
   */
  private String readingSql() {
    return """
        SELECT pg_catalog.set_config('enable_seqscan', 'off', true),
               pg_catalog.set_config('statement_timeout', '3s', true);
        SELECT coalesce(?::timestamptz, pg_catalog.clock_timestamp()), pg_catalog.clock_timestamp(),
               o.since, o.owner, h.deadline, t.recorded_at
        FROM (SELECT) AS one
        LEFT JOIN LATERAL (
          SELECT since, owner FROM (
            SELECT a.xact_start AS since,
                   'process ' || a.pid || ', role ' || coalesce(a.usename, '?')
                     || ', application ' || coalesce(nullif(a.application_name, ''), '?') AS owner
            FROM pg_catalog.pg_stat_activity a
            WHERE a.datname = pg_catalog.current_database()
              AND a.pid <> pg_catalog.pg_backend_pid()
              AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)
              AND a.xact_start IS NOT NULL
            UNION ALL
            SELECT p.prepared, 'prepared transaction ' || p.gid || ', role ' || p.owner
            FROM pg_catalog.pg_prepared_xacts p
            WHERE p.database = pg_catalog.current_database()) AS holders
          ORDER BY since LIMIT 1) AS o ON true
        LEFT JOIN LATERAL (
          SELECT deadline FROM %1$s.hold WHERE deadline IS NOT NULL
          ORDER BY deadline LIMIT 1) AS h ON true
        LEFT JOIN LATERAL (
          SELECT max(recorded_at) AS recorded_at FROM %1$s.transfer
          WHERE ctid >= pg_catalog.format('(%%s,0)', greatest(0,
              pg_catalog.pg_relation_size('%1$s.transfer')
                / pg_catalog.current_setting('block_size')::int - %2$d))::tid) AS t ON true
        """
        .formatted(config.schema(), NEWEST_PAGES);
  }
}
