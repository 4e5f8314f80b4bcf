package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Progress;
import dev.partita.VerifyReport;
import dev.partita.memory.InMemoryLedger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is broken in the stored data is found, under the number of its invariant. */
class PostgresVerifierTest {

  private static final Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
  private static String schema;

  @BeforeAll
  static void copyAHistory() throws SQLException {
    schema = TestServer.freshSchema();
    InMemoryLedger memory = new InMemoryLedger(() -> now[0]);
    RandomHistory history = new RandomHistory(memory, 5, by -> now[0] = now[0].plus(by));
    history.open();
    Mirror mirror = new Mirror(memory, TestServer.application(), schema);
    for (int i = 0; i < 40; i++) {
      for (int n = 0; n < 8; n++) {
        history.step();
      }
      mirror.sync();
    }
    now[0] = now[0].plus(Duration.ofSeconds(1));
    // What guards the records against changes has to go before they can be damaged.
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : new String[] {"transfer", "account", "account_change", "hold", "asset"}) {
        statement.execute("ALTER TABLE " + schema + "." + table + " DISABLE TRIGGER USER");
      }
    }
  }

  @AfterAll
  static void drop() {
    TestServer.drop(schema);
  }

  private static VerifyReport verify() {
    return new PostgresVerifier(TestServer.owner(), schema).run(Progress.NONE);
  }

  @Test
  void findsNothingWhereNothingIsBroken() throws SQLException {
    VerifyReport report = verify();
    assertThat(report.violations()).isEmpty();
    assertThat(report.transfers()).isGreaterThan(200);
    assertThat(report.accounts()).isEqualTo(7);
    assertThat(report.position()).isEqualTo("batch " + lastBatch());
  }

  private static long lastBatch() throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT last_value FROM " + schema + ".batch")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void tellsHowFarItIs() {
    long[] seen = {0, 0};
    VerifyReport report =
        new PostgresVerifier(TestServer.owner(), schema)
            .run(
                (done, total) -> {
                  assertThat(done).isBetween(seen[0], total);
                  seen[0] = done;
                  seen[1] = total;
                });
    assertThat(seen[0]).isEqualTo(seen[1]).isEqualTo(report.transfers());
  }

  static Stream<Arguments> damages() {
    String some = "(SELECT id FROM transfer WHERE %s ORDER BY batch, batch_index OFFSET 9 LIMIT 1)";
    String direct = some.formatted("kind = 0 AND amount > 0 AND group_id IS NULL");
    String member = "(SELECT id FROM transfer WHERE group_index = 1 LIMIT 1)";
    String ended = some.formatted("kind IN (3, 4) AND amount > 0");
    String post = some.formatted("kind = 2 AND amount > 0 AND flags & 128 <> 0");
    String reversal = "(SELECT id FROM transfer WHERE kind = 5 AND amount > 0 LIMIT 1)";
    String open = "(SELECT id FROM hold WHERE remaining > 0 ORDER BY batch, batch_index LIMIT 1)";
    return Stream.of(
        Arguments.of(
            "a posted counter of a last record, one side only",
            1,
            "UPDATE transfer SET credit_credits_posted = coalesce(credit_credits_posted, 0) + 1 WHERE id ="
                + " (SELECT id FROM transfer t WHERE kind IN (0, 2) AND NOT EXISTS (SELECT FROM"
                + " transfer l WHERE (l.debit_no = t.credit_no AND l.debit_version > t.credit_version)"
                + " OR (l.credit_no = t.credit_no AND l.credit_version > t.credit_version)) LIMIT 1)"),
        Arguments.of(
            "a pending counter",
            1,
            "UPDATE transfer SET debit_debits_pending = coalesce(debit_debits_pending, 0) + 5"
                + " WHERE (debit_no, debit_version) = (SELECT debit_no, max(debit_version) FROM transfer t"
                + " WHERE NOT EXISTS (SELECT FROM transfer c WHERE c.credit_no = t.debit_no AND"
                + " c.credit_version > t.debit_version) GROUP BY debit_no LIMIT 1)"),
        Arguments.of(
            "what remains of a hold",
            2,
            "UPDATE hold SET remaining = remaining + 1 WHERE id = " + open),
        Arguments.of("a hold that is gone", 2, "DELETE FROM hold WHERE id = " + open),
        Arguments.of("a hold's deadline", 2, "UPDATE hold SET deadline = now() WHERE id = " + open),
        Arguments.of(
            "a hold's accounts",
            2,
            "UPDATE hold SET debit_no = credit_no, credit_no = debit_no WHERE id = " + open),
        Arguments.of(
            "a hold without a record",
            2,
            "INSERT INTO hold VALUES (41, NULL, 1, 2, 3, gen_random_uuid(), 0)"),
        Arguments.of(
            "a hold of a direct transfer",
            2,
            "INSERT INTO hold SELECT batch, NULL, debit_no, credit_no, batch_index, id, 0 FROM transfer"
                + " WHERE id = "
                + direct),
        Arguments.of(
            "an ended hold that is open",
            2,
            "INSERT INTO hold SELECT h.batch, h.recorded_at + make_interval(secs => h.timeout_seconds),"
                + " h.debit_no, h.credit_no, h.batch_index, h.id, 0 FROM transfer h JOIN transfer e ON"
                + " e.related_id = h.id WHERE e.id = "
                + ended),
        Arguments.of("a missing record", 3, "DELETE FROM transfer WHERE id = " + direct),
        Arguments.of(
            "a gap", 3, "UPDATE transfer SET debit_version = 1000000 WHERE id = " + direct),
        Arguments.of(
            "an amount", 3, "UPDATE transfer SET amount = amount + 1 WHERE id = " + direct),
        Arguments.of(
            "what a capture released",
            3,
            "UPDATE transfer SET released = coalesce(released, 0) + 1 WHERE id = " + post),
        Arguments.of("a kind", 3, "UPDATE transfer SET kind = 1 WHERE id = " + direct),
        Arguments.of(
            "accounts turned round",
            3,
            "UPDATE transfer SET debit_no = credit_no, credit_no = debit_no, debit_version ="
                + " credit_version, credit_version = debit_version WHERE id = "
                + direct),
        Arguments.of(
            "a batch that contradicts the versions",
            3,
            "UPDATE transfer SET batch = 1 WHERE id = (SELECT id FROM transfer WHERE kind = 0 ORDER BY"
                + " batch DESC LIMIT 1)"),
        Arguments.of(
            "a limit that was broken",
            4,
            "UPDATE account_change SET min_balance = 1000000, max_balance = NULL WHERE number = 1 AND"
                + " account_no = (SELECT account_no FROM account_change c WHERE number = 2 AND"
                + " after_version > 30 LIMIT 1)"),
        Arguments.of(
            "the limit of an account that was never changed",
            4,
            "UPDATE account SET max_balance = 0 WHERE id = 'vault'"),
        Arguments.of(
            "a record that resolves nothing",
            5,
            "UPDATE transfer SET related_id = gen_random_uuid() WHERE id = " + ended),
        Arguments.of(
            "a record that resolves a direct transfer",
            5,
            "UPDATE transfer SET related_id = " + direct + " WHERE id = " + ended),
        Arguments.of(
            "a reversal of another transfer",
            5,
            "UPDATE transfer SET related_id = " + direct + " WHERE id = " + reversal),
        Arguments.of(
            "a hold that ends in part",
            5,
            "UPDATE transfer SET amount = amount - 1 WHERE id = " + ended),
        Arguments.of(
            "a hold that does not end",
            5,
            "UPDATE transfer SET flags = flags & ~128 WHERE id = " + post),
        Arguments.of(
            "a reversal of too much",
            5,
            "UPDATE transfer SET amount = 1000000 WHERE id = " + reversal),
        Arguments.of(
            "an expiry before the deadline",
            5,
            "UPDATE transfer SET timeout_seconds = 1000000 WHERE id = (SELECT related_id FROM transfer"
                + " WHERE kind = 4 LIMIT 1)"),
        Arguments.of("a missing member", 6, "DELETE FROM transfer WHERE id = " + member),
        Arguments.of(
            "a missing last member",
            6,
            "DELETE FROM transfer WHERE id = (SELECT id FROM transfer WHERE group_index = group_size - 1"
                + " LIMIT 1)"),
        Arguments.of(
            "a group's size",
            6,
            "UPDATE transfer SET group_size = group_size + 1 WHERE group_id = (SELECT group_id FROM"
                + " transfer WHERE group_index = 0 LIMIT 1)"),
        Arguments.of(
            "a group in two batches",
            6,
            "UPDATE transfer SET batch = batch + 1 WHERE id = " + member),
        Arguments.of(
            "a time before the one before",
            7,
            "UPDATE transfer SET recorded_at = recorded_at - interval '1 hour' WHERE id = "
                + direct),
        Arguments.of(
            "a time after the one after",
            7,
            "UPDATE transfer SET recorded_at = recorded_at + interval '1 hour' WHERE id = "
                + direct),
        Arguments.of(
            "an account's asset", 7, "UPDATE account SET asset = 'UNUSED' WHERE id = 'bank'"),
        Arguments.of(
            "an account that is gone",
            7,
            "ALTER TABLE account_change DROP CONSTRAINT account_change_account_no_fkey;"
                + " DELETE FROM account WHERE id = 'bank'"),
        Arguments.of(
            "an account number that nobody has",
            7,
            "UPDATE transfer SET credit_no = 999 WHERE id = " + direct),
        Arguments.of(
            "a missing change",
            7,
            "DELETE FROM account_change WHERE number = 1 AND account_no = (SELECT account_no FROM"
                + " account_change WHERE number = 2 LIMIT 1)"),
        Arguments.of(
            "a missing last change",
            7,
            "DELETE FROM account_change c WHERE number = (SELECT last_change FROM account WHERE no ="
                + " c.account_no)"),
        Arguments.of(
            "terms that no change made",
            7,
            "UPDATE account SET metadata = '{\"a\": \"b\"}' WHERE last_change > 0"),
        Arguments.of(
            "an account closed by no change",
            7,
            "UPDATE account SET closed_at = now() WHERE id = 'vault'"),
        Arguments.of(
            "what a change replaced",
            7,
            "UPDATE account_change SET was_closed = NOT was_closed WHERE number = 2"),
        Arguments.of(
            "when a change took effect",
            7,
            "UPDATE account_change SET after_version = 1000000 WHERE number = 1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void findsDamage(String what, int invariant, String damage) throws SQLException {
    String copy = schema + "_damaged";
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      copy(statement, copy);
      try {
        statement.execute("SET search_path = " + copy);
        for (String part : damage.split(";", -1)) {
          statement.execute(part);
        }
        assertThat(statement.getUpdateCount()).as(what).isNotZero();
        VerifyReport report = new PostgresVerifier(TestServer.owner(), copy).run(Progress.NONE);
        assertThat(report.violations())
            .as(what)
            .extracting(VerifyReport.Violation::invariant)
            .contains(invariant);
        assertThat(report.violations())
            .allSatisfy(
                violation -> {
                  assertThat(violation.subject()).isNotBlank();
                  assertThat(violation.detail()).isNotBlank().doesNotContain("%");
                });
      } finally {
        statement.execute("DROP SCHEMA " + copy + " CASCADE");
      }
    }
  }

  private static void copy(Statement statement, String copy) throws SQLException {
    PostgresSchema target = new PostgresSchema(TestServer.owner(), copy);
    target.migrate();
    for (String table : new String[] {"asset", "account", "account_change", "transfer", "hold"}) {
      String overriding = table.equals("account") ? " OVERRIDING SYSTEM VALUE" : "";
      String columns = columns(statement, table);
      statement.execute(
          "INSERT INTO %3$s.%1$s (%4$s)%5$s SELECT %4$s FROM %2$s.%1$s"
              .formatted(table, schema, copy, columns, overriding));
      statement.execute("ALTER TABLE " + copy + "." + table + " DISABLE TRIGGER USER");
    }
    statement.execute(
        "SELECT setval('" + copy + ".batch', (SELECT last_value FROM " + schema + ".batch))");
  }

  private static String columns(Statement statement, String table) throws SQLException {
    try (var rows =
        statement.executeQuery(
            "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_schema = '"
                + schema
                + "' AND table_name = '"
                + table
                + "'")) {
      rows.next();
      return rows.getString(1);
    }
  }
}
