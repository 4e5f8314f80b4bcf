package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.CorruptionException;
import dev.partita.GroupRequest;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.FaultyDataSource.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One request of a batch cannot be recorded, and only that one fails. */
class CulpritTest {

  private static final int CALLERS = 200;

  private Stage stage;
  private FaultyDataSource faults;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    faults = new FaultyDataSource(TestServer.application("ledger"));
    ledger = stage.node(faults.dataSource(), stage.config());
    Stage.open(ledger, "world", "shop", "hot");
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  @Test
  void anOwnersCheckRefusesOneOfManyCallers() throws Exception {
    stage.execute("ALTER TABLE %s.transfer ADD CONSTRAINT no_poison CHECK (reference <> 'poison')");
    TransferRequest poison = Stage.direct("world", "shop", 1).reference("poison");
    assertDatabaseError(among(poison));
    stage.reconcile();
  }

  /**
   * The server says how bad it is in its own language; only the SQLSTATE is the same everywhere.
   */
  @Test
  void anOwnersCheckRefusesOneOfManyCallersInAnyLanguage() throws Exception {
    stage.execute("ALTER TABLE %s.transfer ADD CONSTRAINT no_poison CHECK (reference <> 'poison')");
    faults.always(Fault.IN_GERMAN);
    assertDatabaseError(among(Stage.direct("world", "shop", 1).reference("poison")));
    stage.reconcile();
  }

  private static void assertDatabaseError(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.DATABASE_ERROR);
              assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED);
            });
  }

  /** Whoever breaks the connection every time keeps nobody else from being recorded. */
  @Test
  void aRequestThatEndsTheSessionDoesNotEndTheOthers() throws Exception {
    stage.execute(
        """
        CREATE FUNCTION %s.end_session() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_terminate_backend(pg_backend_pid());
          RETURN NEW;
        END $$;
        CREATE TRIGGER deadly BEFORE INSERT ON %s.transfer FOR EACH ROW
          WHEN (NEW.reference = 'poison') EXECUTE FUNCTION %s.end_session()
        """);
    PostgresLedger patient =
        stage.node(
            TestServer.application("patient"), stage.config().patience(Duration.ofSeconds(3)));
    CompletableFuture<PostResult> poison =
        patient.submit(PostRequest.of(Stage.direct("world", "shop", 1).reference("poison")));
    for (int i = 0; i < 5; i++) {
      assertThat(patient.post(Stage.direct("world", "hot", 1)).status()).isEqualTo(CREATED);
    }
    assertThat(poison).isNotDone();
    assertThat(failure(poison))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT));
    stage.reconcile();
  }

  @Test
  void aHoldThatIsGoneIsCorruption() throws Exception {
    UUID hold = ledger.post(Stage.pending(UUID.randomUUID(), "world", "shop", 5)).id();
    stage.execute("DELETE FROM %s.hold");
    assertThat(among(TransferRequest.capture(UUID.randomUUID(), hold)))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void metadataThatIsNoMapOfTextIsCorruption() throws Exception {
    TransferRequest stored = corrupted("metadata = '[1]'");
    assertThat(among(stored)).isInstanceOf(CorruptionException.class);
  }

  @Test
  void aGroupWithAMissingMemberIsCorruption() throws Exception {
    UUID groupId = UUID.randomUUID();
    corrupted("group_id = '" + groupId + "', group_index = 0, group_size = 2");
    GroupRequest group = new GroupRequest(groupId, List.of(Stage.direct("world", "shop", 1)));
    assertThat(among(group)).isInstanceOf(CorruptionException.class);
  }

  @Test
  void anAccountThatIsCorruptIsCorruptionForItsOwnRequestsOnly() throws Exception {
    Stage.open(ledger, "sick");
    stage.execute(
        "ALTER TABLE %s.transfer DROP CONSTRAINT transfer_values;INSERT INTO %s.transfer (batch,"
            + " recorded_at, debit_version, credit_version, debit_no, credit_no, batch_index, kind,"
            + " flags, id, amount, debit_debits_posted, credit_credits_posted) SELECT 0, now(), 1,"
            + " 1, s.no, w.no, 0, 0, 15, gen_random_uuid(), 1, -1, 1 FROM %s.account s, %s.account"
            + " w WHERE s.id = 'sick' AND w.id = 'world'");
    assertThat(among(Stage.direct("sick", "shop", 1))).isInstanceOf(CorruptionException.class);
  }

  /** A failure of the machine itself, not of the database. */
  @Test
  void theLaneOutlivesAnError() {
    AtomicBoolean fails = new AtomicBoolean();
    PostgresLedger failing =
        stage.node(
            "failing",
            stage
                .config()
                .timeSource(
                    () -> {
                      if (fails.getAndSet(false)) {
                        throw new StackOverflowError("by the test");
                      }
                      return Instant.now();
                    }));
    fails.set(true);
    assertThatThrownBy(() -> failing.post(Stage.direct("world", "shop", 1)))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    assertThat(failing.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
  }

  /** A record that nobody's request would have made. */
  private TransferRequest corrupted(String setting) {
    TransferRequest request = Stage.direct("world", "shop", 1);
    ledger.post(request);
    stage.execute(
        "ALTER TABLE %s.transfer DISABLE TRIGGER immutable; UPDATE %s.transfer SET " + setting);
    return request;
  }

  /**
   * Posts it in the middle of a batch of others, which must all be recorded; answers its failure.
   */
  private Throwable among(PostItem culprit) throws Exception {
    List<CompletableFuture<PostResult>> others = new ArrayList<>();
    CompletableFuture<PostResult> answer = null;
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "hot");
      others.add(ledger.submit(PostRequest.of(Stage.direct("world", "hot", 1))));
      stage.awaitWaiting("ledger");
      for (int i = 1; i < CALLERS; i++) {
        others.add(ledger.submit(PostRequest.of(Stage.direct("world", "hot", 1))));
        if (i == CALLERS / 3) {
          answer = ledger.submit(PostRequest.of(culprit));
        }
      }
    }
    for (CompletableFuture<PostResult> other : others) {
      assertThat(other.get(1, TimeUnit.MINUTES).transfers().getFirst().status()).isEqualTo(CREATED);
    }
    Throwable failure = failure(answer);
    assertThat(stage.sumOf("hot")).isEqualTo(CALLERS);
    assertThat(ledger.post(Stage.direct("world", "hot", 1)).status())
        .as("the lane lives on")
        .isEqualTo(CREATED);
    return failure;
  }

  private static Throwable failure(CompletableFuture<PostResult> answer)
      throws InterruptedException, TimeoutException {
    try {
      throw new AssertionError("it was answered " + answer.get(1, TimeUnit.MINUTES));
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }
}
