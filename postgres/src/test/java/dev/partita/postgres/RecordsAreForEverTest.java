package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No statement changes or removes a record, not even its owner's, whatever column it names and
 * whether that is null; and the tables take no number that is none.
 */
class RecordsAreForEverTest {

  private static Stage stage;

  @BeforeAll
  static void open() {
    stage = new Stage();
    PostgresLedger ledger = stage.node("ledger");
    Stage.open(ledger, "a", "b");
    // Nearly every column of this record is null, and of this change.
    ledger.post(Stage.direct("a", "b", 1));
    ledger.post(Stage.pending(UUID.randomUUID(), "a", "b", 1));
    ledger.change(ChangeRequest.of(AccountId.of("a")).minBalance(Balance.ofMinor(-9)));
  }

  @AfterAll
  static void close() throws SQLException {
    stage.close();
  }

  private static List<String> columns(String table) throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT attname FROM pg_attribute WHERE attrelid = '%s.%s'::regclass AND attnum > 0"
                    .formatted(stage.schema(), table))) {
      List<String> columns = new ArrayList<>();
      while (rows.next()) {
        columns.add(rows.getString(1));
      }
      return columns;
    }
  }

  private static String contents(String table) throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT json_agg(t)::text FROM %s.%s t".formatted(stage.schema(), table))) {
      row.next();
      return row.getString(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transfer", "account_change", "asset"})
  void nobodyChangesOrRemovesARecord(String table) throws SQLException {
    String before = contents(table);
    List<String> statements = new ArrayList<>();
    for (String column : columns(table)) {
      statements.add("UPDATE %s." + table + " SET " + column + " = " + column);
      statements.add("UPDATE %s." + table + " SET " + column + " = NULL");
      statements.add("UPDATE %s." + table + " SET " + column + " = NULL WHERE false");
      statements.add("UPDATE %s." + table + " SET " + column + " = DEFAULT");
    }
    statements.add("DELETE FROM %s." + table);
    statements.add("DELETE FROM %s." + table + " WHERE false");
    statements.add("TRUNCATE %s." + table + " CASCADE");
    assertThat(statements).hasSizeGreaterThan(10);
    try (Connection owner = TestServer.owner().getConnection();
        Connection ledger = TestServer.connect()) {
      for (String statement : statements) {
        assertThatThrownBy(() -> execute(owner, statement))
            .as("the owner: %s", statement)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("is refused");
        assertThatThrownBy(() -> execute(ledger, statement))
            .as("the ledger's role: %s", statement)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("permission denied");
      }
    }
    assertThat(contents(table)).isEqualTo(before);
  }

  /** To PostgreSQL NaN is greater than every number, and an amount of NaN would be for ever. */
  @Test
  void noAmountIsNotANumberOrOutOfRange() throws SQLException {
    List<String> amounts = numerics();
    assertThat(amounts).contains("transfer.amount", "account.min_balance", "hold.remaining");
    try (Connection connection = TestServer.owner().getConnection()) {
      for (String amount : amounts) {
        int point = amount.indexOf('.');
        String table = amount.substring(0, point);
        // A table with the same checks and nothing else, and a good row to put into it.
        execute(connection, "CREATE TEMP TABLE copy (LIKE %s." + table + " INCLUDING CONSTRAINTS)");
        execute(connection, goodRow(table, columns(table), amount, "1"));
        for (String bad :
            List.of(
                "'NaN'",
                "'Infinity'",
                "'-Infinity'",
                "1e39",
                "170141183460469231731687303715884105728",
                amount.endsWith("_balance") ? "-170141183460469231731687303715884105728" : "-1")) {
          assertThatThrownBy(() -> execute(connection, goodRow(table, columns(table), amount, bad)))
              .as("%s = %s", amount, bad)
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isIn("23514", "22003"));
        }
        execute(connection, "DROP TABLE copy");
      }
    }
  }

  /** Every column that holds money. */
  private static List<String> numerics() throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT table_name || '.' || column_name FROM information_schema.columns JOIN"
                    + " information_schema.tables USING (table_schema, table_name) WHERE"
                    + " table_schema = '%s' AND table_type = 'BASE TABLE' AND data_type = 'numeric'"
                        .formatted(stage.schema()))) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    }
  }

  /** Copies a good row, but for one column. */
  private static String goodRow(String table, List<String> columns, String but, String value) {
    List<String> values = new ArrayList<>();
    for (String column : columns) {
      values.add(but.equals(table + "." + column) ? value : column);
    }
    return "INSERT INTO copy SELECT " + String.join(", ", values) + " FROM %s." + table;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.replace("%s", stage.schema()));
    }
  }
}
