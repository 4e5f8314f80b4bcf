package dev.partita.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The results that have rows, in order, of several statements; what has none, such as BEGIN, is
 * passed over. For one thread. Closing it closes what was not closed yet.
 */
abstract sealed class Answers implements AutoCloseable {

  /** Between statements. */
  private static final String SEPARATOR = ";\n";

  /**
   * Sends all statements at once.
   *
   * @param text the statements, each but the last one ended by a semicolon and a line break
   * @param parameters of all of them, in order
   */
  static Answers together(Connection connection, String text, List<ArrayLiteral> parameters)
      throws SQLException {
    return of(execute(connection, text, parameters));
  }

  /** Of what has been executed. */
  static Answers of(PreparedStatement executed) {
    return new Together(executed);
  }

  /** Sends each statement when it is asked for, so that all answers before it have been read. */
  static Answers oneByOne(Connection connection, String text, List<ArrayLiteral> parameters) {
    return new OneByOne(connection, text, parameters);
  }

  private static PreparedStatement execute(
      Connection connection, String text, List<ArrayLiteral> parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    boolean executed = false;
    try {
      for (int i = 0; i < parameters.size(); i++) {
        parameters.get(i).bind(statement, i + 1);
      }
      statement.execute();
      executed = true;
      return statement;
    } finally {
      if (!executed) {
        statement.close();
      }
    }
  }

  /** The next result; there must be one. */
  abstract ResultSet next() throws SQLException;

  @Override
  public abstract void close() throws SQLException;

  /** All have been executed. */
  private static final class Together extends Answers {
    private final PreparedStatement statement;
    private boolean begun;

    Together(PreparedStatement statement) {
      this.statement = statement;
    }

    @Override
    ResultSet next() throws SQLException {
      if (begun) {
        statement.getMoreResults();
      }
      begun = true;
      ResultSet rows = statement.getResultSet();
      while (rows == null && statement.getUpdateCount() >= 0) {
        statement.getMoreResults();
        rows = statement.getResultSet();
      }
      return Objects.requireNonNull(rows, "a result for each statement");
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }

  /** Each is executed in its turn. */
  private static final class OneByOne extends Answers {
    private final Connection connection;
    private final Deque<String> texts;
    private final Deque<ArrayLiteral> parameters;
    private @Nullable PreparedStatement open;

    OneByOne(Connection connection, String text, List<ArrayLiteral> parameters) {
      this.connection = connection;
      this.texts = new ArrayDeque<>(List.of(text.split(SEPARATOR, -1)));
      this.parameters = new ArrayDeque<>(parameters);
    }

    @Override
    ResultSet next() throws SQLException {
      while (true) {
        close();
        String text = texts.removeFirst();
        List<ArrayLiteral> own = new ArrayList<>();
        text.chars().filter(c -> c == '?').forEach(c -> own.add(parameters.removeFirst()));
        PreparedStatement statement = execute(connection, text, own);
        open = statement;
        ResultSet rows = statement.getResultSet();
        if (rows != null) {
          return rows;
        }
      }
    }

    @Override
    public void close() throws SQLException {
      PreparedStatement last = open;
      open = null;
      if (last != null) {
        last.close();
      }
    }
  }
}
