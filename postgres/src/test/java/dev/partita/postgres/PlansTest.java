package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.HoldQuery;
import dev.partita.Page;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * No question reads more of a big table than its answer, whenever its plan was made. Counted by the
 * server, so nothing depends on how a plan is written; whoever sorts or scans a big table reads it.
 *
 * <p>One connection asks everything ten times while the tables are empty, which fixes its plans;
 * then the tables are filled.
 */
class PlansTest {

  private static final long TRANSFERS = 100_000;
  private static final AccountId FEES = AccountId.of("fees");
  private static final AccountId PAYER = AccountId.of("payer:7");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static String schema;
  private static HikariDataSource early;
  private static PostgresReads earlyReads;

  @BeforeAll
  static void askFirstAndFillThen() throws SQLException {
    schema = TestServer.freshSchema();
    try (Connection owner = TestServer.owner().getConnection();
        Statement statement = owner.createStatement()) {
      // Nothing may come along and make better plans.
      statement.execute("ALTER TABLE " + schema + ".transfer SET (autovacuum_enabled = off)");
      statement.execute("ALTER TABLE " + schema + ".account SET (autovacuum_enabled = off)");
      early = oneConnection();
      earlyReads = new PostgresReads(early, schema, null);
      statement.execute("INSERT INTO " + schema + ".asset VALUES ('EUR', 2)");
      statement.execute(
          "INSERT INTO "
              + schema
              + ".account (opened_at, code, normal, id, asset) VALUES ('2026-01-01Z', 0, 1, 'fees',"
              + " 'EUR'), ('2026-01-01Z', 0, 1, 'payer:7', 'EUR')");
      for (Runnable question : questions(early, earlyReads).values()) {
        for (int i = 0; i < 10; i++) {
          question.run();
        }
      }
      statement.execute("ALTER TABLE " + schema + ".account DISABLE TRIGGER USER");
      statement.execute("DELETE FROM " + schema + ".account");
      statement.execute("ALTER TABLE " + schema + ".asset DISABLE TRIGGER USER");
      statement.execute("DELETE FROM " + schema + ".asset");
      statement.execute("ALTER TABLE " + schema + ".account ALTER no RESTART WITH 1");
      BigLedger.fill(owner, schema, 1, TRANSFERS);
      // What autovacuum does as the table grows.
      statement.execute("SELECT brin_summarize_new_values('" + schema + ".transfer_batch')");
      statement.execute("SELECT brin_summarize_new_values('" + schema + ".transfer_recorded')");
    }
  }

  @AfterAll
  static void drop() {
    early.close();
    TestServer.drop(schema);
  }

  private static HikariDataSource oneConnection() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(TestServer.application("plans"));
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
  }

  private static UUID id(long n) {
    return new UUID(0, n);
  }

  private static Map<String, Runnable> questions(HikariDataSource source, PostgresReads reads) {
    List<UUID> ids = new ArrayList<>();
    for (int n = 1; n <= 100; n++) {
      ids.add(id(n * 977L));
    }
    Instant middle = START.plusSeconds(50);
    Map<String, Runnable> questions = new LinkedHashMap<>();
    questions.put("account", () -> reads.account(FEES));
    questions.put("accounts", () -> reads.accounts(AccountQuery.prefix("payer:1", 50)));
    questions.put("balance", () -> reads.balance(FEES));
    questions.put("as recorded", () -> reads.balanceAsRecorded(FEES, middle));
    questions.put("as effective", () -> reads.balanceAsEffective(PAYER, middle));
    questions.put("known at", () -> reads.balanceAsEffective(PAYER, middle, middle));
    questions.put("statement", () -> reads.statement(StatementQuery.oldestFirst(FEES, 50)));
    questions.put("newest lines", () -> reads.statement(StatementQuery.newestFirst(FEES, 50)));
    questions.put("transfers", () -> reads.transfers(ids));
    questions.put("by reference", () -> reads.find(TransferQuery.reference("r100", 50)));
    questions.put("by related", () -> reads.find(TransferQuery.related(id(1), 50)));
    questions.put("by group", () -> reads.find(TransferQuery.group(id(1), 50)));
    questions.put("by account", () -> reads.find(TransferQuery.account(FEES, 50)));
    questions.put(
        "by account and time",
        () -> reads.find(TransferQuery.account(FEES, 50).recorded(middle, middle.plusSeconds(1))));
    questions.put(
        "by time", () -> reads.find(TransferQuery.between(middle, middle.plusMillis(100), 50)));
    questions.put("holds", () -> reads.holds(HoldQuery.account(FEES, 50)));
    questions.put("changes", () -> reads.changes(FEES, null, 50));
    questions.put("journal", () -> reads.journal(null, 50));
    questions.put("at the start", () -> StartupChecks.requirePositions(source, schema));
    return questions;
  }

  private record Reading(long sequentialScans, long rowsFetched) {}

  private static Reading counters(HikariDataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      statement.execute("SELECT pg_stat_clear_snapshot()");
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT sum(seq_scan)::bigint, sum(idx_tup_fetch)::bigint FROM pg_stat_user_tables"
                  + " WHERE schemaname = '"
                  + schema
                  + "' AND relname IN ('transfer', 'account')")) {
        rows.next();
        return new Reading(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  private static void assertFrugal(HikariDataSource source, PostgresReads reads)
      throws SQLException {
    for (Map.Entry<String, Runnable> question : questions(source, reads).entrySet()) {
      Reading before = counters(source);
      question.getValue().run();
      Reading after = counters(source);
      assertThat(after.sequentialScans()).as(question.getKey()).isEqualTo(before.sequentialScans());
      assertThat(after.rowsFetched() - before.rowsFetched())
          .as(question.getKey())
          .isLessThan(3_000);
    }
  }

  @Test
  void plansMadeOnEmptyTablesStayGood() throws SQLException {
    assertFrugal(early, earlyReads);
  }

  @Test
  void plansMadeOnFullTablesAreGoodWithAndWithoutStatistics() throws SQLException {
    for (int round = 0; round < 2; round++) {
      try (HikariDataSource source = oneConnection()) {
        PostgresReads reads = new PostgresReads(source, schema, null);
        assertFrugal(source, reads);
        for (Runnable question : questions(source, reads).values()) {
          for (int i = 0; i < 8; i++) {
            question.run();
          }
        }
        assertFrugal(source, reads);
      }
      try (Connection owner = TestServer.owner().getConnection();
          Statement statement = owner.createStatement()) {
        statement.execute("ANALYZE " + schema + ".transfer, " + schema + ".account");
      }
    }
  }

  @Test
  void pagesDeepInTheJournalCostWhatFirstPagesCost() throws SQLException {
    String cursor = null;
    for (int i = 0; i < 40; i++) {
      Reading before = counters(early);
      Page<?> page = earlyReads.journal(cursor, 500);
      Reading after = counters(early);
      assertThat(page.items()).hasSize(500);
      assertThat(after.rowsFetched() - before.rowsFetched()).isLessThan(6_000);
      cursor = page.next();
    }
  }

  @Test
  void sqlUsersReadOnlyAPageOfAStatement() throws SQLException {
    try (HikariDataSource source = oneConnection()) {
      for (String call : List.of("'fees'", "'fees', 50000", "'fees', 1, 100, false")) {
        Reading before = counters(source);
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement();
            ResultSet rows =
                statement.executeQuery(
                    "SELECT count(*) FROM " + schema + ".statement(" + call + ")")) {
          rows.next();
          assertThat(rows.getInt(1)).isEqualTo(100);
        }
        Reading after = counters(source);
        assertThat(after.sequentialScans()).isEqualTo(before.sequentialScans());
        assertThat(after.rowsFetched() - before.rowsFetched()).isLessThan(500);
      }
    }
  }
}
