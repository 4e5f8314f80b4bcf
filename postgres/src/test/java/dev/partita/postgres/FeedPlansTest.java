package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.LedgerEvent;
import dev.partita.Page;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A page of the feed reads little more than what is on it, wherever it begins: a hundred thousand
 * transfers, as many accounts and as many changes. Plans are made on empty tables first.
 */
class FeedPlansTest {

  private static final int ROWS = 100_000;

  private static String schema;
  private static PostgresReads reads;

  @BeforeAll
  static void fill() throws SQLException {
    schema = TestServer.freshSchema();
    reads = new PostgresReads(TestServer.application("feed"), schema, null);
    try (Connection owner = TestServer.owner().getConnection();
        Statement statement = owner.createStatement()) {
      BigLedger.fill(owner, schema, 1, ROWS);
      statement.execute(
          ("INSERT INTO %s.account (opened_at, code, normal, id, asset, batch)"
                  + " SELECT '2026-01-01Z', 0, 1, 'more:' || n, 'EUR', n / 10"
                  + " FROM generate_series(1, 100000) n")
              .replace("%s", schema));
      statement.execute(
          ("INSERT INTO %s.account_change (number, recorded_at, after_version, account_no,"
                  + " was_closed, closed, batch)"
                  + " SELECT n, '2026-01-01Z', 0, 1, false, false, 10000 + n / 10"
                  + " FROM generate_series(1, 100000) n")
              .replace("%s", schema));
      statement.execute("SELECT setval('" + schema + ".batch', 20001)");
      statement.execute("SELECT brin_summarize_new_values('" + schema + ".transfer_batch')");
    }
  }

  @AfterAll
  static void drop() {
    TestServer.drop(schema);
  }

  private static String plan(SqlQuery query) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = TestServer.connect();
        Statement settings = connection.createStatement()) {
      settings.execute(
          "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off");
      try (PreparedStatement statement =
          connection.prepareStatement("EXPLAIN (ANALYZE, COSTS OFF) " + query.text())) {
        query.bind(statement);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            plan.append(rows.getString(1)).append('\n');
          }
        }
      }
    }
    return plan.toString();
  }

  @Test
  void readsOpeningsAndChangesInTheOrderOfTheirIndexes() throws SQLException {
    FeedSql sql = new FeedSql(schema);
    FeedReads.After middle = new FeedReads.After(5_000, FeedSql.BEFORE_ALL, 0, 0);
    assertThat(plan(sql.opened(middle, 20_001, 100)))
        .contains("Index Scan using account_feed")
        .doesNotContain("Seq Scan", "Sort")
        .doesNotContain("rows=1000");
    FeedReads.After late = new FeedReads.After(15_000, FeedSql.CHANGED, 1, 50_005);
    assertThat(plan(sql.changed(late, 20_001, 100)))
        .contains("Index Scan using account_change_feed")
        .doesNotContain("Seq Scan", "Sort")
        .doesNotContain("rows=1000");
  }

  private record Reading(long sequentialScans, long rowsFetched) {}

  private static Reading counters() throws SQLException {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_clear_snapshot()");
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT sum(seq_scan)::bigint, sum(idx_tup_fetch)::bigint FROM pg_stat_user_tables"
                  + " WHERE schemaname = '"
                  + schema
                  + "' AND relname IN ('transfer', 'account', 'account_change')")) {
        rows.next();
        return new Reading(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  /** The sessions end with each question, and report what they read when they do. */
  @Test
  void readsAsLittleDeepInTheFeedAsAtItsBeginning() throws SQLException {
    String cursor = null;
    Reading before = counters();
    int pages = 100;
    int events = 0;
    for (int i = 0; i < pages; i++) {
      Page<LedgerEvent> page = reads.feed(cursor, 500);
      events += page.items().size();
      cursor = page.next();
    }
    assertThat(events).isEqualTo(pages * 500);
    Stage.until(() -> counters().rowsFetched() > before.rowsFetched());
    Reading after = counters();
    assertThat(after.sequentialScans()).isEqualTo(before.sequentialScans());
    // For each event itself, its accounts, and the block range around where a page begins.
    assertThat((after.rowsFetched() - before.rowsFetched()) / pages).isLessThan(8_000);
  }
}
