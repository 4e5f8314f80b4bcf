package dev.partita.lab.server;

import dev.partita.embedded.Login;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that only looks, recognisable by its application name, and that counts its own
 * transactions, so that they can be taken out of what the server counted. For one thread.
 */
final class Monitor implements AutoCloseable {

  static final String APPLICATION = "partita-lab-monitor";

  private final Connection connection;
  private long transactions;

  private Monitor(Connection connection) {
    this.connection = connection;
  }

  /** Something asked in one transaction. */
  interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  static Monitor open(Login login) throws SQLException {
    Connection connection = login.connect();
    try (Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SET SESSION application_name = '" + APPLICATION + "'");
      // All figures of one question as of one moment.
      statement.execute("SET SESSION stats_fetch_consistency = snapshot");
      connection.commit();
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    Monitor monitor = new Monitor(connection);
    // Whatever opening a connection counts as, it is counted before the first figure is read.
    monitor.ask(open -> open.getAutoCommit());
    return monitor;
  }

  /** Asks; what this transaction counts as has reached the statistics when this returns. */
  <T> T ask(Question<T> question) throws SQLException {
    try {
      T answer = question.ask(connection);
      flush();
      return answer;
    } catch (SQLException | RuntimeException e) {
      rollback(e);
      throw e;
    }
  }

  /** Asks; what this transaction counts as reaches the statistics with the next {@link #ask}. */
  <T> T askOften(Question<T> question) throws SQLException {
    try {
      T answer = question.ask(connection);
      connection.commit();
      transactions++;
      return answer;
    } catch (SQLException | RuntimeException e) {
      rollback(e);
      throw e;
    }
  }

  private void flush() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
    }
    connection.commit();
    transactions++;
  }

  private void rollback(Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /** Transactions that this has committed; in the statistics since the last {@link #ask}. */
  long transactions() {
    return transactions;
  }

  /**
   * The only row of a query, by column; columns that are null are left out. If the server refuses
   * it, the row is empty, a note says why, and the transaction goes on.
   */
  static Map<String, Object> rowIfAllowed(
      Connection connection, String what, List<String> notes, String sql, String... arguments)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      Map<String, Object> row = row(connection, sql, arguments);
      connection.releaseSavepoint(before);
      return row;
    } catch (SQLException e) {
      connection.rollback(before);
      notes.add(what + " not measured: " + reason(e));
      return Map.of();
    }
  }

  /** The only row of a query, by column; columns that are null are left out. */
  static Map<String, Object> row(Connection connection, String sql, String... arguments)
      throws SQLException {
    Map<String, Object> row = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setString(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        if (rows.next()) {
          for (int i = 1; i <= columns; i++) {
            Object value = rows.getObject(i);
            if (value != null) {
              row.put(rows.getMetaData().getColumnLabel(i), value);
            }
          }
        }
      }
    }
    return row;
  }

  /** A number of a row; null if it is not in it. */
  static @Nullable Long number(Map<String, Object> row, String column) {
    return row.get(column) instanceof Number number ? (Long) number.longValue() : null;
  }

  /** A text of a row; null if it is not in it. */
  static @Nullable String text(Map<String, Object> row, String column) {
    return row.get(column) instanceof String text ? text : null;
  }

  /** What the server said, in one line. */
  static String reason(SQLException e) {
    return Objects.requireNonNullElse(e.getMessage(), "no reason given")
        .lines()
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
