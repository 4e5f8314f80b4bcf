package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Limits;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.BatchReport.Way;
import dev.partita.postgres.FaultyDataSource.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The listener is told exactly what happened, once. */
class EngineListenerTest {

  private final Told told = new Told();
  private Stage stage;

  /** Everything that was told. */
  private static final class Told implements EngineListener {
    private final List<BatchReport> batches = new CopyOnWriteArrayList<>();
    private final List<String> unanswered = new CopyOnWriteArrayList<>();
    private final AtomicInteger inVain = new AtomicInteger();
    private final AtomicInteger reconnects = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();

    @Override
    public void finished(BatchReport batch) {
      batches.add(batch);
    }

    @Override
    public void sentInVain(int transfers) {
      inVain.addAndGet(transfers);
    }

    @Override
    public void reconnected() {
      reconnects.incrementAndGet();
    }

    @Override
    public void commitUnknown() {
      unknown.incrementAndGet();
    }

    @Override
    public void unanswered(Reason reason, Outcome outcome, int transfers) {
      unanswered.add(reason + " " + outcome + " " + transfers);
    }

    Map<TransferStatus, Integer> statuses() {
      Map<TransferStatus, Integer> counts = new EnumMap<>(TransferStatus.class);
      for (BatchReport batch : batches) {
        for (TransferStatus status : TransferStatus.values()) {
          if (batch.transfers(status) > 0) {
            counts.merge(status, batch.transfers(status), Integer::sum);
          }
        }
      }
      return counts;
    }
  }

  @BeforeEach
  void open() {
    stage = new Stage();
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void countsEachTransferOnceByItsStatus() {
    PostgresLedger ledger = listening();
    Stage.open(ledger, Limits.NOT_NEGATIVE, "poor");
    Stage.open(ledger, "world", "shop");
    List<TransferRequest> created = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      created.add(Stage.direct("world", "shop", 1));
      ledger.post(created.getLast());
    }
    ledger.post(new PostRequest(List.copyOf(created.subList(0, 3))));
    for (int i = 0; i < 2; i++) {
      ledger.post(Stage.direct("poor", "shop", 1));
    }
    assertThat(told.statuses())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                TransferStatus.CREATED, 10,
                TransferStatus.EXISTS, 3,
                TransferStatus.INSUFFICIENT_FUNDS, 2));
    assertThat(told.batches).hasSize(13);
    assertThat(told.batches).filteredOn(batch -> batch.transfers() == 3).hasSize(1);
    assertThat(told.batches).filteredOn(batch -> batch.way() == Way.AHEAD).isNotEmpty();
    assertThat(told.batches)
        .allSatisfy(
            batch -> {
              assertThat(batch.requests()).isEqualTo(1);
              assertThat(batch.waitedNanos()).isNotNegative();
              assertThat(batch.commitNanos()).isPositive();
              assertThat(batch.tookNanos()).isGreaterThanOrEqualTo(batch.commitNanos());
            });
    assertThat(told.unanswered).isEmpty();
    // A repeat cannot be known for one before it was sent.
    assertThat(told.inVain).hasValue(3);
    assertThat(told.reconnects).hasValue(0);
  }

  @Test
  void tellsRepeatsThatWereLookedUpWithoutLocks() {
    PostgresLedger ledger = listening();
    Stage.open(ledger, "world", "shop");
    TransferRequest once = Stage.direct("world", "shop", 1);
    for (int i = 0; i < 4; i++) {
      ledger.post(once);
    }
    assertThat(told.batches).extracting(BatchReport::way).contains(Way.REPEATS);
    assertThat(told.statuses())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(TransferStatus.CREATED, 1, TransferStatus.EXISTS, 3));
  }

  @Test
  void tellsABatchThatSomebodyElseWasFasterThan() {
    PostgresLedger ledger = listening();
    Stage.open(ledger, "world", "shop");
    for (int i = 0; i < 10; i++) {
      ledger.post(Stage.direct("world", "shop", 1)); // Alone for so long, it goes ahead.
    }
    assertThat(told.inVain).hasValue(0);
    stage.node("other").post(Stage.direct("world", "shop", 1));
    ledger.post(Stage.direct("world", "shop", 1));
    assertThat(told.inVain).hasValue(1);
    assertThat(told.statuses()).isEqualTo(Map.of(TransferStatus.CREATED, 11));
  }

  @Test
  void tellsACommitWithoutAnswerAndTheNewConnection() {
    FaultyDataSource faults = new FaultyDataSource(TestServer.application("told"));
    PostgresLedger ledger = PostgresLedger.open(faults.dataSource(), stage.config().build(), told);
    try (ledger) {
      Stage.open(ledger, "world", "shop");
      faults.plan(Fault.LOST_REPLY);
      assertThat(ledger.post(Stage.direct("world", "shop", 1)).status())
          .isEqualTo(TransferStatus.CREATED);
      assertThat(told.unknown).hasValue(1);
      assertThat(told.reconnects).hasValue(1);
      assertThat(told.statuses()).isEqualTo(Map.of(TransferStatus.CREATED, 1));
      assertThat(ledger.engineState().lanesConnected()).isEqualTo(1);
    }
    assertThat(ledger.engineState().lanesStopped()).isEqualTo(1);
  }

  @Test
  void tellsRequestsThatGotNoAnswerAndHowFullTheQueueIs() throws Exception {
    PostgresConfig config =
        stage
            .config()
            .queueTransfersMax(2)
            .contentionPatience(Duration.ofMillis(300))
            .patience(Duration.ofSeconds(20))
            .build();
    try (PostgresLedger ledger = PostgresLedger.open(stage.pool("told"), config, told);
        Connection other = Stage.begin()) {
      Stage.open(ledger, "world", "shop");
      stage.lock(other, "shop");
      UUID id = UUID.randomUUID();
      var waiting = ledger.submit(PostRequest.of(Stage.direct(id, "world", "shop", 1)));
      Stage.until(() -> ledger.engineState().asideTransfers() == 1);
      assertThat(ledger.engineState().asideBytes()).isPositive();
      assertThatThrownBy(
              () ->
                  ledger.post(
                      new PostRequest(
                          List.of(
                              Stage.direct("world", "shop", 1), Stage.direct("world", "shop", 2)))))
          .isInstanceOf(UnavailableException.class);
      assertThat(told.unanswered).containsExactly("QUEUE_FULL NOT_POSTED 2");
      assertThatThrownBy(waiting::join).hasCauseInstanceOf(UnavailableException.class);
      assertThat(told.unanswered)
          .containsExactly("QUEUE_FULL NOT_POSTED 2", "CONTENTION NOT_POSTED 1");
      Stage.until(() -> ledger.engineState().asideTransfers() == 0);
      assertThat(ledger.engineState().queuedTransfers()).isZero();
      assertThat(ledger.engineState().queueTransfersMax()).isEqualTo(2);
      assertThat(ledger.engineState().fullFor()).isZero();
      other.rollback();
    }
  }

  @Test
  void saysForHowLongTheQueueHasBeenFull() {
    WriteQueue queue = new WriteQueue(2, 10_000);
    queue.add(ticket());
    queue.add(ticket());
    assertThat(queue.state(1, 1, 0).fullFor()).isZero();
    assertThatThrownBy(() -> queue.add(ticket())).isInstanceOf(UnavailableException.class);
    assertThat(queue.state(1, 1, 0).fullFor()).isPositive();
    queue.drain();
    assertThat(queue.state(1, 1, 0).fullFor()).isZero();
  }

  @Test
  void answersWhateverTheListenerDoes() {
    EngineListener broken =
        new EngineListener() {
          @Override
          public void finished(BatchReport batch) {
            throw new IllegalStateException("broken by the test");
          }
        };
    try (PostgresLedger ledger =
        PostgresLedger.open(stage.pool("broken"), stage.config().build(), broken)) {
      Stage.open(ledger, "world", "shop");
      for (int i = 0; i < 3; i++) {
        assertThat(ledger.post(Stage.direct("world", "shop", 1)).status())
            .isEqualTo(TransferStatus.CREATED);
      }
    }
  }

  private static Ticket ticket() {
    return new Ticket(
        List.of(Stage.direct("world", "shop", 1)), null, System.nanoTime() + 1_000_000_000);
  }

  private PostgresLedger listening() {
    return stage.keep(PostgresLedger.open(stage.pool("told"), stage.config().build(), told));
  }
}
