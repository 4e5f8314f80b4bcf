package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS_DIFFERENT;
import static dev.partita.TransferStatus.PENDING_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller's own transaction sits on what others need. */
class ContentionTest {

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "hot", "a", "b", "c", "d");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void otherAccountsGoOnWhileOneIsLocked() throws Exception {
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "hot");
      List<CompletableFuture<PostResult>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(ledger.submit(PostRequest.of(Stage.direct("a", "hot", 1))));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(ledger.post(Stage.direct("b", "c", 1)).status()).isEqualTo(CREATED);
      }
      // Past the time for which the lane waits in the row's own queue, again and again.
      long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      long slowest = 0;
      while (System.nanoTime() < until) {
        long began = System.nanoTime();
        assertThat(ledger.post(Stage.direct("b", "c", 1)).status()).isEqualTo(CREATED);
        slowest = Math.max(slowest, System.nanoTime() - began);
      }
      assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(10));
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      holder.rollback();
      for (CompletableFuture<PostResult> one : waiting) {
        assertThat(one.get(1, TimeUnit.MINUTES).transfers().getFirst().status()).isEqualTo(CREATED);
      }
    }
    assertThat(stage.sumOf("hot")).isEqualTo(20);
  }

  @Test
  void impatienceIsAnsweredAndNothingIsRecorded() throws Exception {
    PostgresLedger impatient =
        stage.node("impatient", stage.config().contentionPatience(Duration.ofMillis(300)));
    TransferRequest request = Stage.direct("a", "hot", 1);
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "hot");
      assertThatThrownBy(() -> impatient.post(request))
          .isInstanceOfSatisfying(
              UnavailableException.class,
              e -> {
                assertThat(e.reason()).isEqualTo(Reason.CONTENTION);
                assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
              });
    }
    assertThat(impatient.post(Stage.direct("b", "hot", 1)).status()).isEqualTo(CREATED);
    assertThat(stage.stored(request.id())).isZero();
    assertThat(impatient.post(request).status()).isEqualTo(CREATED);
  }

  /**
   * Transactions of others take turns on the row without a pause; whoever waits aside gets one too.
   */
  @Test
  void requestsAsideAreNotOvertakenForEver() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger turns = new AtomicInteger();
    List<Future<Void>> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      others.add(stage.start(() -> lockAgainAndAgain(turns, over)));
    }
    Stage.until(() -> turns.get() > 5);
    for (int i = 0; i < 5; i++) {
      assertThat(ledger.post(Stage.direct("a", "hot", 1)).status()).isEqualTo(CREATED);
    }
    over.set(true);
    for (Future<Void> other : others) {
      other.get(1, TimeUnit.MINUTES);
    }
  }

  private Void lockAgainAndAgain(AtomicInteger turns, AtomicBoolean over) throws SQLException {
    try (Connection connection = Stage.begin();
        Statement statement = connection.createStatement()) {
      while (!over.get()) {
        stage.lock(connection, "hot");
        statement.execute("SELECT pg_sleep(0.03)");
        connection.commit();
        turns.incrementAndGet();
      }
    }
    return null;
  }

  /** An id is no account: skipping locked accounts does not help where another has used the id. */
  @Test
  void anIdInAnOpenTransactionHoldsUpOnlyItsOwnRequest() throws Exception {
    UUID id = UUID.randomUUID();
    try (Connection open = Stage.begin()) {
      assertThat(ledger.inTransaction(open).post(Stage.direct(id, "a", "b", 1)).status())
          .isEqualTo(CREATED);
      Future<TransferResult> same = stage.start(() -> ledger.post(Stage.direct(id, "c", "d", 1)));
      stage.awaitWaiting("ledger");
      long began = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        assertThat(ledger.post(Stage.direct("c", "hot", 1)).status()).isEqualTo(CREATED);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
      assertThat(same.isDone()).isFalse();
      open.commit();
      assertThat(same.get(1, TimeUnit.MINUTES).status()).isEqualTo(EXISTS_DIFFERENT);
    }
    assertThat(stage.sumOf("hot")).isEqualTo(20);
  }

  @Test
  void anIdInAnOpenTransactionIsContentionIfItStaysOpen() throws Exception {
    PostgresLedger impatient =
        stage.node("impatient", stage.config().contentionPatience(Duration.ofMillis(300)));
    UUID id = UUID.randomUUID();
    try (Connection open = Stage.begin()) {
      impatient.inTransaction(open).post(Stage.direct(id, "a", "b", 1));
      assertThatThrownBy(() -> impatient.post(Stage.direct(id, "c", "d", 1)))
          .isInstanceOfSatisfying(
              UnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CONTENTION));
      open.rollback();
    }
    assertThat(impatient.post(Stage.direct(id, "c", "d", 1)).status()).isEqualTo(CREATED);
  }

  /** A lane that connects again forgets what it knew; a look-up that is under way must not. */
  @Test
  void aLaneThatConnectsAgainMakesNoAssetUnknownToOthers() throws Exception {
    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED);
    try (Connection holder = Stage.begin();
        Connection caller = Stage.dataSource("caller").getConnection()) {
      caller.setAutoCommit(false);
      stage.lock(holder, "hot");
      Future<TransferResult> waiting =
          stage.start(() -> ledger.inTransaction(caller).post(Stage.direct("a", "hot", 1)));
      stage.awaitWaiting("caller");
      stage.terminate("ledger");
      // Makes the lane connect again, and names no asset that it would learn of at once.
      assertThat(
              ledger.post(TransferRequest.capture(UUID.randomUUID(), UUID.randomUUID())).status())
          .isEqualTo(PENDING_NOT_FOUND);
      holder.rollback();
      assertThat(waiting.get(1, TimeUnit.MINUTES).status()).isEqualTo(CREATED);
      caller.commit();
    }
  }
}
