package dev.partita.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Short SQL for tests. */
final class Sql {

  private Sql() {}

  static void execute(Login login, String... statements) throws SQLException {
    try (Connection connection = login.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static List<String> column(Login login, String query) throws SQLException {
    try (Connection connection = login.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  static String value(Login login, String query) throws SQLException {
    return column(login, query).getFirst();
  }
}
