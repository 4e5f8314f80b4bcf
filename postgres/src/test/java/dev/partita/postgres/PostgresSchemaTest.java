package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresSchemaTest {

  private static PostgresSchema free() {
    return new PostgresSchema(TestServer.owner(), TestServer.freeName());
  }

  private static void asOwner(String sql) throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  @Test
  void makesASchemaAndLeavesItAloneAfterwards() {
    PostgresSchema schema = free();
    SchemaStatus missing = schema.status();
    assertThat(missing.state()).isEqualTo(SchemaStatus.State.MISSING);
    assertThat(missing.pending()).isEqualTo(PostgresSchema.MIGRATIONS);
    assertThatThrownBy(schema::requireUsable)
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("migrate");
    assertThat(schema.migrate().state()).isEqualTo(SchemaStatus.State.CURRENT);
    assertThat(schema.migrate().usable()).isTrue();
    schema.requireUsable();
  }

  @Test
  void migratesOnceHoweverManyAskForIt() {
    PostgresSchema schema = free();
    List<CompletableFuture<SchemaStatus>> all =
        Stream.generate(() -> CompletableFuture.supplyAsync(schema::migrate)).limit(3).toList();
    assertThat(all).allMatch(one -> one.join().state() == SchemaStatus.State.CURRENT);
  }

  @Test
  void takesOverASchemaThatWasMadeByHand() throws SQLException {
    PostgresSchema schema = free();
    asOwner(schema.print());
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.CURRENT);
    assertThat(schema.migrate().state()).isEqualTo(SchemaStatus.State.CURRENT);
    try (Connection connection = TestServer.owner().getConnection()) {
      assertThat(rows(connection, "SELECT version FROM " + schema.name() + ".partita_history"))
          .containsExactly(Integer.toString(PostgresSchema.MIGRATIONS.size()));
    }
    assertThatThrownBy(() -> asOwner(schema.print())).isInstanceOf(SQLException.class);
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.CURRENT);
  }

  @Test
  void printsPlainSql() {
    String sql = free().print();
    assertThat(sql).startsWith("BEGIN;").endsWith("COMMIT;\n").doesNotContain("${");
    assertThat(sql.lines()).noneMatch(line -> line.startsWith("\\"));
  }

  @Test
  void knowsAllItsMigrationsInOrder() throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(
                    PostgresSchema.class.getResource("/dev/partita/postgres/db/V001__ledger.sql"))
                .toURI());
    try (Stream<Path> files = Files.list(Objects.requireNonNull(folder.getParent()))) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
          .isEqualTo(PostgresSchema.MIGRATIONS);
    }
    for (int i = 0; i < PostgresSchema.MIGRATIONS.size(); i++) {
      assertThat(PostgresSchema.MIGRATIONS.get(i)).startsWith("V%03d__".formatted(i + 1));
    }
    try (InputStream last =
        PostgresSchema.class.getResourceAsStream(
            "/dev/partita/postgres/db/" + PostgresSchema.MIGRATIONS.getLast())) {
      assertThat(new String(last.readAllBytes(), StandardCharsets.UTF_8))
          .as("each migration says which one it is")
          .contains("SELECT " + PostgresSchema.MIGRATIONS.size() + ", ");
    }
  }

  @Test
  void tellsNewerSchemasApart() throws SQLException {
    PostgresSchema schema = free();
    schema.migrate();
    version(schema, 99, 2);
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.AHEAD);
    schema.requireUsable();
    version(schema, 99, 99);
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.TOO_NEW);
    assertThatThrownBy(schema::requireUsable).hasMessageContaining("upgrade");
    assertThatThrownBy(schema::migrate).hasMessageContaining("upgrade");
    version(schema, 1, 1);
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.BEHIND);
    assertThat(schema.status().pending())
        .isEqualTo(PostgresSchema.MIGRATIONS.subList(1, PostgresSchema.MIGRATIONS.size()));
    assertThatThrownBy(schema::requireUsable)
        .hasMessageContaining("needs " + PostgresSchema.MIGRATIONS.size());
  }

  private static void version(PostgresSchema schema, int version, int understoodBy)
      throws SQLException {
    asOwner(
        "CREATE OR REPLACE FUNCTION "
            + schema.name()
            + ".schema_version(OUT version integer, OUT understood_by integer) LANGUAGE sql AS"
            + " 'SELECT "
            + version
            + ", "
            + understoodBy
            + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "A", "a-b", "1a", "pg_x", "information_schema", "a\"b", "ä", "user", "select"})
  void refusesNamesThatNeedQuotes(String name) {
    assertThatThrownBy(() -> new PostgresSchema(TestServer.owner(), name))
        .isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> new PostgresSchema(TestServer.owner(), "a".repeat(64)))
        .isInstanceOf(MisuseException.class);
  }

  @Test
  void knowsTheWordsOfSql() throws SQLException {
    try (Connection connection = TestServer.owner().getConnection()) {
      assertThat(PostgresSchema.RESERVED)
          .containsAll(
              rows(connection, "SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')"));
    }
  }

  @Test
  void grantsTheApplicationExactlyWhatItNeeds() throws SQLException {
    String schema = TestServer.freshSchema();
    Map<String, Set<String>> expected =
        Map.of(
            "asset", Set.of("SELECT", "INSERT"),
            "account", Set.of("SELECT", "INSERT"),
            "account_change", Set.of("SELECT", "INSERT"),
            "transfer", Set.of("SELECT", "INSERT"),
            "hold", Set.of("SELECT", "INSERT", "DELETE"),
            "api_key", Set.of("SELECT"),
            "barrier", Set.of("SELECT"),
            "ledger", Set.of("SELECT"));
    try (Connection connection = TestServer.connect()) {
      for (Map.Entry<String, Set<String>> table : expected.entrySet()) {
        assertThat(privileges(connection, schema + "." + table.getKey()))
            .as(table.getKey())
            .isEqualTo(table.getValue());
      }
      assertThat(
              rows(
                  connection,
                  "SELECT table_name || '.' || column_name FROM information_schema.column_privileges"
                      + " WHERE privilege_type = 'UPDATE' AND table_schema = '"
                      + schema
                      + "' ORDER BY 1"))
          .containsExactly(
              "account.closed_at",
              "account.last_change",
              "account.max_balance",
              "account.metadata",
              "account.min_balance",
              "barrier.passed",
              "hold.remaining");
    }
  }

  private static Set<String> privileges(Connection connection, String table) throws SQLException {
    return new TreeSet<>(
        rows(
            connection,
            "SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE',"
                + " 'REFERENCES', 'TRIGGER']) p WHERE has_table_privilege('"
                + table
                + "', p)"));
  }

  @Test
  void grantsReportsTheViewsAndNothingElse() throws SQLException {
    PostgresSchema schema = free();
    asOwner(schema.print());
    String role = TestServer.applicationRole();
    assertThat(new PostgresSchema(TestServer.application(), schema.name()).status().state())
        .isEqualTo(SchemaStatus.State.FORBIDDEN);
    schema.grant(role);
    schema.grantReporting(role);
    String name = schema.name();
    asOwner("INSERT INTO " + name + ".asset VALUES ('EUR', 2)");
    asOwner(
        "INSERT INTO "
            + name
            + ".account (opened_at, code, normal, id, asset) VALUES (now(), 0, 1, 'a', 'EUR')");
    try (Connection connection = TestServer.connect()) {
      for (String view : Grants.VIEWS) {
        assertThat(privileges(connection, name + "." + view)).containsExactly("SELECT");
        rows(connection, "SELECT count(*) FROM " + name + "." + view);
      }
      assertThat(rows(connection, "SELECT balance::text FROM " + name + ".accounts"))
          .containsExactly("0.00");
      rows(connection, "SELECT 1 FROM " + name + ".statement('a')");
      for (String table : List.of("asset", "account", "transfer", "hold", "account_change")) {
        assertThat(privileges(connection, name + "." + table)).as(table).isEmpty();
      }
    }
  }

  @Test
  void quotesRoles() {
    PostgresSchema schema = free();
    assertThat(schema.grants("we\"ird; DROP ROLE x")).contains(" TO \"we\"\"ird; DROP ROLE x\";");
    assertThatThrownBy(() -> schema.grants("")).isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> schema.grants("a\0b")).isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> schema.grants("ä".repeat(32))).isInstanceOf(MisuseException.class);
    assertThatThrownBy(() -> schema.grant("nobody here"))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("migrate");
    schema.migrate();
    assertThatThrownBy(() -> schema.grant("nobody here")).isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> schema.grant(TestServer.ownerLogin().user()))
        .hasMessageContaining("owns schema");
  }

  @Test
  void keepsRecordsFromEverybody() throws SQLException {
    String schema = TestServer.freshSchema();
    for (String change :
        List.of(
            "UPDATE %s.transfer SET reference = NULL",
            "UPDATE %s.transfer SET amount = amount",
            "DELETE FROM %s.transfer",
            "TRUNCATE %s.transfer",
            "UPDATE %s.account_change SET actor = NULL",
            "DELETE FROM %s.account_change",
            "TRUNCATE %s.account_change",
            "UPDATE %s.asset SET scale = 3",
            "DELETE FROM %s.account",
            "DELETE FROM %s.barrier",
            "TRUNCATE %s.barrier",
            "DELETE FROM %s.ledger",
            "TRUNCATE %s.ledger",
            "TRUNCATE %s.hold")) {
      assertThatThrownBy(() -> asOwner(change.formatted(schema)))
          .as(change)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("is refused");
      try (Connection connection = TestServer.connect();
          Statement statement = connection.createStatement()) {
        assertThatThrownBy(() -> statement.execute(change.formatted(schema)))
            .as(change)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("permission denied");
      }
    }
  }

  /** Each line: what is set, and whether the change log was made to say so before. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "min_balance = -5, last_change = 1                    | true",
        "min_balance = -5, last_change = 2                    | true",
        "min_balance = -5                                     | true",
        "min_balance = -6, last_change = 1                    | true",
        "min_balance = -5, max_balance = 1, last_change = 1   | true",
        "min_balance = -5, closed_at = now(), last_change = 1 | true",
        "min_balance = -5, metadata = '{}', last_change = 1   | true",
        "last_change = 1                                      | true",
        "min_balance = -5, last_change = 1                    | false",
        "min_balance = NULL                                   | false",
        "max_balance = 1                                      | false",
        "metadata = '{}'                                      | false",
        "closed_at = now()                                    | false",
        "last_change = 1                                      | false",
      })
  void changesTermsOnlyAsTheLogSays(String change, boolean logged) throws SQLException {
    String schema = TestServer.freshSchema();
    asOwner("INSERT INTO " + schema + ".asset VALUES ('EUR', 2)");
    boolean stated = logged && change.equals("min_balance = -5, last_change = 1");
    String update = "UPDATE " + schema + ".account SET " + change;
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO "
              + schema
              + ".account (opened_at, code, normal, id, asset, min_balance) VALUES (now(), 0, 1, 'a',"
              + " 'EUR', 0)");
      if (logged) {
        statement.execute(
            "INSERT INTO "
                + schema
                + ".account_change VALUES (1, now(), 0, 1, false, false, NULL, 0, NULL, -5, NULL)");
      }
      if (stated) {
        assertThat(statement.executeUpdate(update)).isOne();
        statement.execute("UPDATE " + schema + ".account SET min_balance = min_balance");
        return;
      }
      assertThatThrownBy(() -> statement.execute(update)).hasMessageContaining("is refused");
    }
    assertThatThrownBy(() -> asOwner(update)).hasMessageContaining("is refused");
  }

  @Test
  void refusesTimesThatAreNone() throws SQLException {
    String schema = TestServer.freshSchema();
    asOwner("INSERT INTO " + schema + ".asset VALUES ('EUR', 2)");
    String account = ".account (code, normal, id, asset, opened_at, closed_at) VALUES (0, 1, ";
    asOwner("INSERT INTO " + schema + account + "'a', 'EUR', now(), NULL)");
    asOwner("INSERT INTO " + schema + account + "'b', 'EUR', now(), now())");
    for (String never : List.of("infinity", "-infinity")) {
      for (String insert :
          List.of(
              account + "'c', 'EUR', '%s', NULL)",
              account + "'c', 'EUR', now(), '%s')",
              ".account_change VALUES (1, '%s', 0, 1, false, false)",
              ".hold VALUES (1, '%s', 1, 2, 0, gen_random_uuid(), 0)",
              transfer("'%s'", "NULL"),
              transfer("now()", "'%s'"))) {
        assertThatThrownBy(() -> asOwner("INSERT INTO " + schema + insert.formatted(never)))
            .as(insert)
            .hasMessageContaining("check constraint");
      }
    }
    asOwner("INSERT INTO " + schema + transfer("now()", "NULL"));
  }

  private static String transfer(String recordedAt, String effectiveAt) {
    return ".transfer (batch, debit_version, credit_version, debit_no, credit_no, batch_index, kind,"
        + " flags, id, amount, recorded_at, effective_at) VALUES (1, 1, 1, 1, 2, 0, 0, 0,"
        + " gen_random_uuid(), 1, "
        + recordedAt
        + ", "
        + effectiveAt
        + ")";
  }

  @Test
  void describesEveryViewAndColumn() throws SQLException {
    String schema = TestServer.freshSchema();
    try (Connection connection = TestServer.owner().getConnection()) {
      assertThat(
              rows(
                  connection,
                  "SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON"
                      + " a.attrelid = c.oid WHERE c.relkind = 'v' AND c.relnamespace = '"
                      + schema
                      + "'::regnamespace AND a.attnum > 0 AND (col_description(c.oid, a.attnum) IS NULL"
                      + " OR obj_description(c.oid, 'pg_class') IS NULL)"))
          .isEmpty();
      assertThat(
              rows(
                  connection,
                  "SELECT relname FROM pg_class WHERE relkind = 'v' AND relnamespace = '"
                      + schema
                      + "'::regnamespace"))
          .containsExactlyInAnyOrderElementsOf(Grants.VIEWS);
    }
  }

  /** A function that reads tables must not claim that its answer never changes. */
  @Test
  void declaresFunctionsHonestly() throws SQLException {
    String schema = TestServer.freshSchema();
    try (Connection connection = TestServer.owner().getConnection()) {
      assertThat(
              rows(
                  connection,
                  "SELECT proname || ' ' || provolatile::text FROM pg_proc WHERE pronamespace = '"
                      + schema
                      + "'::regnamespace AND provolatile <> 'v' ORDER BY 1"))
          .containsExactly(
              "kind_name i", "major_units i", "schema_version i", "statement s", "version_at s");
      assertThat(
              rows(
                  connection,
                  "SELECT proname FROM pg_proc WHERE pronamespace = '"
                      + schema
                      + "'::regnamespace AND prosecdef AND NOT coalesce(proconfig::text, '') LIKE"
                      + " '%search_path=pg_catalog, pg_temp%'"))
          .isEmpty();
    }
  }
}
