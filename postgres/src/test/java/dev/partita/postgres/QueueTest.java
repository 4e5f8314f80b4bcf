package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Metadata;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests that wait while the lane is busy. A lock on the whole table of transfers keeps it busy
 * for as long as the test wants, for it is not among the things that a lane does not wait for.
 */
class QueueTest {

  private Stage stage;

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
  void aFullQueueSaysSoAtOnceByTransfers() throws Exception {
    PostgresLedger ledger = ledger(stage.config().queueTransfersMax(10));
    assertFills(ledger, Stage.direct("world", "shop", 1), 10);
  }

  @Test
  void aFullQueueSaysSoAtOnceByBytes() throws Exception {
    PostgresLedger ledger = ledger(stage.config().queueBytesMax(50_000));
    Metadata large = Metadata.of(Map.of("k", "x".repeat(9_000)));
    assertFills(ledger, Stage.direct("world", "shop", 1).metadata(large), 5);
  }

  private void assertFills(PostgresLedger ledger, TransferRequest like, int fits) throws Exception {
    List<CompletableFuture<PostResult>> waiting = new ArrayList<>();
    try (Busy busy = new Busy(ledger)) {
      for (int i = 0; i < fits; i++) {
        waiting.add(ledger.submit(PostRequest.of(again(like))));
      }
      TransferRequest tooMuch = again(like);
      long began = System.nanoTime();
      assertUnavailable(Reason.QUEUE_FULL, () -> ledger.post(tooMuch));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
      assertThatThrownBy(() -> ledger.submit(PostRequest.of(tooMuch)).get())
          .hasCauseInstanceOf(UnavailableException.class);
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      assertThat(busy.answer()).isNotDone();
    }
    for (CompletableFuture<PostResult> one : waiting) {
      assertCreated(one);
    }
    assertThat(ledger.post(again(like)).status()).isEqualTo(CREATED);
    assertThat(stage.transfers()).isEqualTo(fits + 2L);
  }

  private static TransferRequest again(TransferRequest like) {
    return Stage.direct("world", "shop", 1).metadata(like.metadata());
  }

  @Test
  void anInterruptWithdrawsWhatWaitsAndStaysSet() throws Exception {
    PostgresLedger ledger = ledger(stage.config());
    TransferRequest request = Stage.direct("world", "shop", 1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    try (Busy busy = new Busy(ledger)) {
      Thread caller = caller(ledger, request, failure, flag);
      Stage.until(() -> caller.getState() == Thread.State.WAITING);
      caller.interrupt();
      caller.join();
      assertThat(busy.answer()).isNotDone();
    }
    assertThat(failure.get())
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.WITHDRAWN);
              assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
            });
    assertThat(flag).isTrue();
    assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    assertThat(stage.stored(request.id())).isZero();
  }

  @Test
  void anInterruptDoesNotWithdrawWhatIsInABatch() throws Exception {
    PostgresLedger ledger = ledger(stage.config());
    TransferRequest request = Stage.direct("world", "shop", 1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread caller;
    try (Connection holder = lockTable()) {
      caller = caller(ledger, request, failure, flag);
      stage.awaitWaiting("ledger");
      caller.interrupt();
      assertThat(caller.join(Duration.ofMillis(200))).isFalse();
      holder.rollback();
    }
    caller.join();
    assertThat(failure.get()).isNull();
    assertThat(flag).isTrue();
    assertThat(stage.stored(request.id())).isEqualTo(1);
  }

  private static Thread caller(
      PostgresLedger ledger,
      TransferRequest request,
      AtomicReference<Throwable> failure,
      AtomicBoolean flag) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                ledger.post(request);
              } catch (UnavailableException e) {
                failure.set(e);
              }
              flag.set(Thread.currentThread().isInterrupted());
            });
  }

  @Test
  void aCancelWithdrawsWhatWaits() throws Exception {
    PostgresLedger ledger = ledger(stage.config());
    TransferRequest request = Stage.direct("world", "shop", 1);
    try (Busy busy = new Busy(ledger)) {
      CompletableFuture<PostResult> waiting = ledger.submit(PostRequest.of(request));
      assertThat(waiting.cancel(false)).isTrue();
      assertThat(busy.answer()).isNotDone();
    }
    assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    assertThat(stage.stored(request.id())).isZero();
  }

  @Test
  void theDeadlineEndsTheWaitAndNothingIsRecordedLater() throws Exception {
    PostgresLedger ledger = ledger(stage.config().patience(Duration.ofSeconds(1)));
    TransferRequest blocking = Stage.direct("world", "shop", 1);
    TransferRequest submitted = Stage.direct("world", "shop", 1);
    try (Busy busy = new Busy(ledger)) {
      CompletableFuture<PostResult> waiting = ledger.submit(PostRequest.of(submitted));
      assertUnavailable(Reason.TIMED_OUT, () -> ledger.post(blocking));
      assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(UnavailableException.class);
      assertThatThrownBy(() -> busy.answer().get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(UnavailableException.class);
    }
    Stage.until(() -> posts(ledger));
    assertThat(stage.stored(blocking.id())).isZero();
    assertThat(stage.stored(submitted.id())).isZero();
  }

  private static boolean posts(PostgresLedger ledger) {
    try {
      return ledger.post(Stage.direct("world", "shop", 1)).status() == CREATED;
    } catch (UnavailableException e) {
      return false;
    }
  }

  @Test
  void closeRefusesWhatWaitsAndAnswersWhatWasTaken() throws Exception {
    PostgresLedger ledger = ledger(stage.config());
    TransferRequest request = Stage.direct("world", "shop", 1);
    TransferRequest taken = Stage.direct("world", "shop", 1);
    try (Connection holder = lockTable()) {
      CompletableFuture<PostResult> inBatch = ledger.submit(PostRequest.of(taken));
      stage.awaitWaiting("ledger");
      CompletableFuture<PostResult> waiting = ledger.submit(PostRequest.of(request));
      Future<?> closing =
          stage.start(
              () -> {
                ledger.close();
                return null;
              });
      assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(UnavailableException.class);
      assertUnavailable(Reason.CLOSED, () -> ledger.post(request));
      holder.rollback();
      closing.get(1, TimeUnit.MINUTES);
      // Taken up: either recorded or told that it was not.
      if (recorded(inBatch)) {
        assertThat(stage.stored(taken.id())).isEqualTo(1);
      } else {
        assertThat(stage.stored(taken.id())).isZero();
      }
    }
    assertThat(stage.stored(request.id())).isZero();
    assertUnavailable(Reason.CLOSED, () -> ledger.post(request));
    assertUnavailable(Reason.CLOSED, () -> ledger.post(new PostRequest(List.of())));
    ledger.close();
  }

  private static boolean recorded(CompletableFuture<PostResult> answer) throws Exception {
    try {
      return answer.get(1, TimeUnit.MINUTES).transfers().getFirst().status() == CREATED;
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              UnavailableException.class,
              failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_POSTED));
      return false;
    }
  }

  /** A callback that blocks, or closes the ledger, is its caller's own affair. */
  @Test
  void answersAreGivenOffTheLane() throws Exception {
    PostgresLedger ledger = ledger(stage.config());
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CompletableFuture<Void> stuck =
        ledger
            .submit(PostRequest.of(Stage.direct("world", "shop", 1)))
            .thenAccept(
                result -> {
                  blocked.countDown();
                  awaitQuietly(release);
                });
    assertThat(blocked.await(1, TimeUnit.MINUTES)).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
      assertCreated(ledger.submit(PostRequest.of(Stage.direct("world", "shop", 1))));
    }
    assertThat(stuck).isNotDone();
    ledger
        .submit(PostRequest.of(Stage.direct("world", "shop", 1)))
        .thenAccept(result -> ledger.close())
        .get(1, TimeUnit.MINUTES);
    release.countDown();
    stuck.get(1, TimeUnit.MINUTES);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private PostgresLedger ledger(PostgresConfig.Builder config) {
    PostgresLedger ledger = stage.node(TestServer.application("ledger"), config);
    Stage.open(ledger, "world", "shop");
    return ledger;
  }

  private static void assertUnavailable(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
            });
  }

  private static void assertCreated(CompletableFuture<PostResult> answer) throws Exception {
    assertThat(answer.get(1, TimeUnit.MINUTES).transfers().getFirst().status()).isEqualTo(CREATED);
  }

  /** Nobody may write a transfer until this is rolled back. */
  private Connection lockTable() throws SQLException {
    Connection holder = TestServer.owner().getConnection();
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      statement.execute("LOCK TABLE " + stage.schema() + ".barrier IN EXCLUSIVE MODE");
      statement.execute("LOCK TABLE " + stage.schema() + ".transfer IN EXCLUSIVE MODE");
    }
    return holder;
  }

  /** The lane cannot go on while this is open: its connection is gone, and so is the barrier. */
  private final class Busy implements AutoCloseable {
    private final Connection holder;
    private final CompletableFuture<PostResult> answer;

    Busy(PostgresLedger ledger) throws SQLException {
      holder = lockTable();
      stage.terminate("ledger");
      answer = ledger.submit(PostRequest.of(Stage.direct("world", "shop", 1)));
      stage.awaitWaiting("ledger");
    }

    CompletableFuture<PostResult> answer() {
      return answer;
    }

    @Override
    public void close() throws SQLException {
      holder.close();
    }
  }
}
