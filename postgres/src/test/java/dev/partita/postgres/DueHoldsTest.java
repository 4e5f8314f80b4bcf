package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Transfer;
import dev.partita.TransferRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking for due holds happens several times a second, however many are open. */
class DueHoldsTest {

  @Test
  void looksAtDueHoldsOnly() throws SQLException {
    try (Stage stage = new Stage()) {
      stage.execute(
          "INSERT INTO %s.hold SELECT n, clock_timestamp() + make_interval(days => n), 1, 2, 0,"
              + " gen_random_uuid(), 1 FROM generate_series(1, 10000) n");
      stage.execute("ANALYZE %s.hold");
      Stream.of(null, Instant.EPOCH)
          .forEach(
              clock ->
                  assertThat(plan(stage.schema(), clock, null))
                      .anyMatch(line -> line.contains("Index Scan using hold_due"))
                      .anyMatch(line -> line.contains("Index Cond: (deadline <="))
                      .noneMatch(line -> line.contains("Rows Removed")));
    }
  }

  /** While an old snapshot is held, the index keeps what has expired. */
  @Test
  void walksOverNothingThatExpiredBeforeItBegins() throws SQLException {
    try (Stage stage = new Stage();
        Connection old = Stage.begin()) {
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = old.createStatement()) {
        statement.execute("SELECT 1 FROM " + stage.schema() + ".hold");
        stage.execute(
            "INSERT INTO %s.hold SELECT n, clock_timestamp() - make_interval(mins => n), 1, 2, 0,"
                + " gen_random_uuid(), 1 FROM generate_series(2, 10000) n");
        stage.execute("DELETE FROM %s.hold");
        stage.execute("ANALYZE %s.hold");
        Instant minuteAgo = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.MICROS);
        assertThat(pages(plan(stage.schema(), null, null))).isGreaterThan(100);
        assertThat(pages(plan(stage.schema(), null, minuteAgo))).isLessThan(10);
        old.rollback();
      }
    }
  }

  /** Part-way through, the queue is full: what was expired is answered, the rest stays due. */
  @Test
  void answersWhatWasExpiredBeforeTheQueueWasFull() throws Exception {
    try (Stage stage = new Stage()) {
      PostgresLedger ledger =
          stage.node("small", stage.config().queueTransfersMax(2).batchTransfersMax(1));
      Stage.open(ledger, "world", "shop");
      for (int i = 0; i < 5; i++) {
        TransferRequest hold =
            Stage.pending(UUID.randomUUID(), "world", "shop", 1).timeoutSeconds(1);
        assertThat(ledger.post(hold).status()).isEqualTo(CREATED);
      }
      Stage.until(
          () ->
              stage.number("SELECT count(*) FROM %s.hold WHERE deadline < clock_timestamp()") == 5);
      Future<List<Transfer>> answer;
      try (Connection holder = Stage.begin()) {
        stage.lock(holder, "shop");
        answer = stage.start(() -> ledger.expireDue(10));
        stage.awaitWaiting("small");
        holder.rollback();
      }
      List<Transfer> expired = new ArrayList<>(answer.get(1, TimeUnit.MINUTES));
      assertThat(expired).isNotEmpty();
      Stage.until(
          () -> {
            expired.addAll(ledger.expireDue(10));
            return expired.size() == 5;
          });
      assertThat(stage.number("SELECT count(*) FROM %s.transfer WHERE kind = 4")).isEqualTo(5);
    }
  }

  /** How many pages the scan of the index and its table has read. */
  private static long pages(List<String> plan) {
    String text = String.join("\n", plan);
    Matcher scan =
        Pattern.compile(
                "hold_due on hold.*?Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?",
                Pattern.DOTALL)
            .matcher(text);
    assertThat(scan.find()).as(text).isTrue();
    return Stream.of(1, 2)
        .map(scan::group)
        .filter(Objects::nonNull)
        .mapToLong(Long::parseLong)
        .sum();
  }

  private static List<String> plan(String schema, @Nullable Instant clock, @Nullable Instant from) {
    SqlQuery explain =
        new SqlQuery()
            .add("EXPLAIN (ANALYZE, BUFFERS) ")
            .add(Writer.dueHolds(schema, clock, from, 100));
    return new ReadSession(TestServer.application())
        .ask(
            "explaining",
            explain,
            rows -> {
              List<String> lines = new ArrayList<>();
              while (rows.next()) {
                lines.add(rows.getString(1));
              }
              return lines;
            });
  }
}
