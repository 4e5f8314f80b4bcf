package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Limits;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.postgres.FaultyDataSource.Fault;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** So many callers that batches are decided while the one before them is being committed. */
class AheadTest {

  private static final int CALLERS = 600;
  private static final int TRANSFERS = 12;
  private static final int BROKE = 13;

  private Stage stage;
  private FaultyDataSource faults;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    faults = new FaultyDataSource(TestServer.application("ledger"));
    ledger = stage.node(faults.dataSource(), stage.config());
    Stage.open(ledger, "world", "hot");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "poor");
    for (int i = 0; i < 8; i++) {
      assertThat(ledger.post(Stage.direct("world", "hot", 1)).status()).isEqualTo(CREATED);
    }
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void allIsRecordedOnce() throws Exception {
    List<TransferResult> results = post(caller -> ledger);
    assertThat(results).allSatisfy(result -> assertThat(result.status()).isEqualTo(CREATED));
    requireRecorded(results);
  }

  @Test
  void theAnswersHaveTheTimesThatAreStored() throws Exception {
    Instant before = stage.now();
    List<TransferResult> results = post(caller -> ledger);
    Instant after = stage.now();
    assertThat(ledger.transfers(results.stream().map(TransferResult::id).limit(1_000).toList()))
        .isEqualTo(results.stream().map(TransferResult::orThrow).limit(1_000).toList())
        .allSatisfy(record -> assertThat(record.recordedAt()).isBetween(before, after));
  }

  /** What was decided on top of a batch that failed is decided again. */
  @Test
  void whateverBecomesOfACommitAllIsRecordedOnceAndAnsweredCreated() throws Exception {
    Random random = Seeds.random();
    for (int i = 0; i < 60; i++) {
      Fault[] kinds = Fault.values();
      faults.plan(random.nextInt(3) == 0 ? kinds[random.nextInt(kinds.length)] : Fault.NONE);
    }
    List<TransferResult> results = post(caller -> ledger);
    assertThat(results).allSatisfy(result -> assertThat(result.status()).isEqualTo(CREATED));
    requireRecorded(results);
  }

  @Test
  void anotherNodeInBetweenIsSeen() throws Exception {
    PostgresLedger other = stage.node("other");
    List<TransferResult> results = post(caller -> caller % 60 == 0 ? other : ledger);
    assertThat(results).allSatisfy(result -> assertThat(result.status()).isEqualTo(CREATED));
    requireRecorded(results);
  }

  /** A refusal cannot be decided ahead, nor what is behind it in its batch. */
  @Test
  void refusalsInBetweenAreRight() throws Exception {
    assertThat(ledger.post(Stage.direct("world", "poor", BROKE)).status()).isEqualTo(CREATED);
    List<Callable<TransferResult>> calls = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      boolean poor = i % 50 == 0;
      calls.add(() -> ledger.post(Stage.direct(poor ? "poor" : "world", "hot", 1)));
    }
    List<TransferResult> results = call(calls);
    assertThat(results.stream().filter(result -> result.status() == INSUFFICIENT_FUNDS))
        .hasSize(2_000 / 50 - BROKE);
    assertThat(stage.sumOf("poor")).isZero();
    assertThat(stage.sumOf("hot")).isEqualTo(8 + 2_000 - 2_000 / 50 + BROKE);
  }

  /**
   * A batch with a repeat in it has taken the very number that was expected, and records nothing:
   * only that it did not keeps what was decided on top of it from being recorded.
   */
  @Test
  void repeatsInBetweenAreAnsweredAndNothingIsBuiltOnWhatWasNotRecorded() throws Exception {
    TransferRequest recorded = Stage.direct("world", "hot", 1);
    assertThat(ledger.post(recorded).status()).isEqualTo(CREATED);
    int repeats = 20;
    List<Callable<List<TransferResult>>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int repeatAt = i < repeats ? 2 * i + 5 : -1;
      callers.add(
          () -> {
            List<TransferResult> results = new ArrayList<>();
            for (int n = 0; n < 50; n++) {
              TransferRequest request = n == repeatAt ? recorded : Stage.direct("world", "hot", 1);
              results.add(ledger.post(request));
            }
            return results;
          });
    }
    List<TransferResult> results = call(callers).stream().flatMap(List::stream).toList();
    assertThat(results.stream().filter(result -> result.status() == EXISTS)).hasSize(repeats);
    assertThat(stage.sumOf("hot")).isEqualTo(9 + results.size() - repeats);
  }

  private interface Choice {
    PostgresLedger of(int caller);
  }

  private List<TransferResult> post(Choice choice) throws Exception {
    List<Callable<List<TransferResult>>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      PostgresLedger own = choice.of(i);
      callers.add(
          () -> {
            List<TransferResult> results = new ArrayList<>();
            for (int n = 0; n < TRANSFERS; n++) {
              results.add(own.post(Stage.direct("world", "hot", 1)));
            }
            return results;
          });
    }
    return call(callers).stream().flatMap(List::stream).toList();
  }

  private static <T> List<T> call(List<Callable<T>> calls) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : calls.stream().map(threads::submit).toList()) {
        answers.add(answer.get(Duration.ofMinutes(1).toMillis(), TimeUnit.MILLISECONDS));
      }
      return answers;
    }
  }

  private void requireRecorded(List<TransferResult> results) {
    assertThat(stage.sumOf("hot")).isEqualTo(8 + results.size());
    assertThat(stage.transfers()).isEqualTo(8 + results.size());
    TransferRequest repeated = results.getLast().orThrow().request();
    assertThat(ledger.post(repeated).status()).isEqualTo(EXISTS);
  }
}
