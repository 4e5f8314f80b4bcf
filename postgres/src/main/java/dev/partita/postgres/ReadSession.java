package dev.partita.postgres;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Runs the statements that read. Each question is a transaction of its own, READ COMMITTED, and
 * leaves nothing behind on the connection.
 *
 * <p>Plans must not depend on when they were made: one made on a fresh table would read all of it
 * for ever. So sequential scans and joins that read whole indexes are off for the question's
 * transaction, which its first statement sees to.
 *
 * <p>The transaction is begun and ended in so many words. Several statements in one text are one
 * transaction by themselves only as long as the driver sends them in one go, and it does not once
 * it has prepared one that may answer more than fits its buffers: it asks for an answer in between,
 * and there the settings would end. It is two round trips then, otherwise one.
 */
final class ReadSession {

  private static final String SETTINGS =
      """
      BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
      SELECT pg_catalog.set_config('enable_seqscan', 'off', true),
             pg_catalog.set_config('enable_hashjoin', 'off', true),
             pg_catalog.set_config('enable_mergejoin', 'off', true),
             pg_catalog.set_config('jit', 'off', true),
             pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true);
      """;

  /** For long work in short statements: a plan for each, memory to sort in, and an end. */
  private static String bounded(String hashJoins) {
    return """
      BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
      SELECT pg_catalog.set_config('enable_seqscan', 'off', true),
             pg_catalog.set_config('enable_hashjoin', '%s', true),
             pg_catalog.set_config('enable_mergejoin', 'off', true),
             pg_catalog.set_config('jit', 'off', true),
             pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true),
             pg_catalog.set_config('work_mem', '64MB', true),
             pg_catalog.set_config('statement_timeout', '5s', true);
      """
        .formatted(hashJoins);
  }

  private static final String END = ";\nCOMMIT";

  private static final String CORRUPTED = "XX001";

  private final DataSource dataSource;

  ReadSession(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource);
  }

  /** Reads the answer from a result. */
  @FunctionalInterface
  interface Answer<T> {
    T read(ResultSet rows) throws SQLException;
  }

  /** Reads the answer from the results of two statements. */
  @FunctionalInterface
  interface TwofoldAnswer<T> {
    T read(ResultSet first, ResultSet second) throws SQLException;
  }

  /** Does something with a connection in auto-commit mode. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Asks one question. */
  <T> T ask(String what, SqlQuery query, Answer<T> answer) {
    return with(what, connection -> ask(connection, query, answer));
  }

  /** Asks one question on a connection. */
  static <T> T ask(Connection connection, SqlQuery query, Answer<T> answer) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SETTINGS + query.text() + END)) {
      query.bind(statement);
      run(statement);
      try (ResultSet rows = next(statement)) {
        return answer.read(rows);
      }
    }
  }

  /** How the statements of long work may join. */
  enum Joins {
    /** Row by row: what they look up is in a table too large to read. */
    LOOKUPS("off"),
    /** Also with a table, such as that of the accounts, of which they need a good part. */
    HASHES("on");

    private final String settings;

    Joins(String hashes) {
      settings = bounded(hashes);
    }
  }

  /** Asks one question that is part of long work; fails with 57014 after five seconds. */
  static <T> T askBounded(Connection connection, Joins joins, SqlQuery query, Answer<T> answer)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(joins.settings + query.text() + END)) {
      query.bind(statement);
      run(statement);
      try (ResultSet rows = next(statement)) {
        return answer.read(rows);
      }
    }
  }

  /**
   * Asks two questions in one round trip, the second with a snapshot that is later than everything
   * the first has seen.
   */
  <T> T askInOrder(String what, SqlQuery first, SqlQuery second, TwofoldAnswer<T> answer) {
    return with(what, connection -> askInOrder(connection, first, second, answer));
  }

  /** As {@link #askInOrder(String, SqlQuery, SqlQuery, TwofoldAnswer)} on a connection. */
  static <T> T askInOrder(
      Connection connection, SqlQuery first, SqlQuery second, TwofoldAnswer<T> answer)
      throws SQLException {
    SqlQuery both = new SqlQuery().add(SETTINGS).add(first).add(";\n").add(second).add(END);
    try (PreparedStatement statement = connection.prepareStatement(both.text())) {
      both.bind(statement);
      run(statement);
      try (ResultSet one = next(statement);
          ResultSet two = next(statement)) {
        return answer.read(one, two);
      }
    }
  }

  /** Does something with a connection, and says what a failure means. */
  <T> T with(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      if (!autoCommit) {
        requireIdle(connection);
        connection.setAutoCommit(true);
      }
      try {
        return work.run(connection);
      } finally {
        if (!autoCommit) {
          connection.setAutoCommit(false);
        }
      }
    } catch (SQLException e) {
      if (CORRUPTED.equals(e.getSQLState())) {
        throw new CorruptionException(what + ": " + SqlFailures.describe(e), e);
      }
      throw SqlFailures.unavailable(e, what);
    }
  }

  /** Turning auto-commit on would commit what is open; it must not be someone else's. */
  private static void requireIdle(Connection connection) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
      throw new MisuseException(
          "dataSource",
          "gives out connections that are in a transaction already; give the ledger the plain pool");
    }
  }

  /** Leaves the statement at the answer to the settings. */
  private static void run(PreparedStatement statement) throws SQLException {
    try {
      statement.execute();
    } catch (SQLException e) {
      try {
        LaneConnection.rollBack(statement.getConnection());
      } catch (SQLException onTop) {
        e.addSuppressed(onTop);
      }
      throw e;
    }
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
  }

  private static ResultSet next(PreparedStatement statement) throws SQLException {
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    return Objects.requireNonNull(statement.getResultSet(), "a result for each statement");
  }
}
