package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Limits;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.postgres.FaultyDataSource.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** COMMIT was sent, or nearly, and nobody knows what became of it. */
class UnknownCommitTest {

  private Stage stage;
  private FaultyDataSource faults;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    faults = new FaultyDataSource(TestServer.application("ledger"));
    ledger = stage.node(faults.dataSource(), stage.config());
    Stage.open(ledger, "world", "shop", "hot");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "purse");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyTransferIsRecordedOnceAndAnsweredCreated(Fault fault) throws Exception {
    faults.plan(fault, fault, Fault.NONE, fault);
    List<TransferRequest> requests = new ArrayList<>();
    List<CompletableFuture<PostResult>> answers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      TransferRequest request = Stage.direct("world", "hot", 1);
      requests.add(request);
      answers.add(ledger.submit(PostRequest.of(request)));
    }
    for (CompletableFuture<PostResult> answer : answers) {
      assertThat(status(answer)).isEqualTo(CREATED);
    }
    assertThat(stage.sumOf("hot")).isEqualTo(300);
    assertThat(stage.transfers()).isEqualTo(300);
    assertThat(ledger.post(new PostRequest(List.copyOf(requests))).transfers())
        .allSatisfy(result -> assertThat(result.status()).isEqualTo(EXISTS));
  }

  @ParameterizedTest
  @EnumSource
  void whatALaneThatIsAloneRecordsIsRecordedOnceAndAnsweredCreated(Fault fault) {
    postAlone();
    faults.plan(fault);
    TransferRequest request = Stage.direct("world", "hot", 1);
    assertThat(ledger.post(request).status()).isEqualTo(CREATED);
    assertThat(ledger.post(request).status()).isEqualTo(EXISTS);
    assertThat(stage.sumOf("hot")).isEqualTo(9);
  }

  private void postAlone() {
    for (int i = 0; i < 8; i++) {
      assertThat(ledger.post(Stage.direct("world", "hot", 1)).status()).isEqualTo(CREATED);
    }
  }

  /**
   * The request never arrives, its caller tries again at another node, and that is given the very
   * number which the first node would have had.
   */
  @Test
  void whatAnotherNodeRecordedUnderTheExpectedNumberExists() {
    PostgresLedger other = stage.node("other");
    postAlone();
    TransferRequest request = Stage.direct("world", "hot", 1);
    faults.before(() -> assertThat(other.post(request).status()).isEqualTo(CREATED));
    faults.plan(Fault.BROKEN_BEFORE);
    assertThat(ledger.post(request).status()).isEqualTo(EXISTS);
    assertThat(stage.sumOf("hot")).isEqualTo(9);
  }

  @Test
  void aDuplicateInTheLostBatchExists() throws Exception {
    TransferRequest twice = Stage.direct("world", "shop", 1);
    TransferRequest both = Stage.direct("world", "shop", 2);
    List<CompletableFuture<PostResult>> answers =
        inOneBatch(
            List.of(
                PostRequest.of(twice), PostRequest.of(twice), new PostRequest(List.of(both, both))),
            Fault.LOST_REPLY);
    assertThat(status(answers.get(0))).isEqualTo(CREATED);
    assertThat(status(answers.get(1))).isEqualTo(EXISTS);
    assertThat(answers.get(2).get(1, TimeUnit.MINUTES).transfers())
        .extracting(TransferResult::status)
        .containsExactly(CREATED, EXISTS);
  }

  /** The requests of the lost batch are decided apart: each must still know what it created. */
  @Test
  void aDuplicateInTheLostBatchExistsEvenIfItIsDecidedApart() throws Exception {
    stage.execute(
        """
        CREATE FUNCTION %s.refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.reference = 'poison' AND EXISTS (SELECT FROM %s.transfer WHERE reference = 'first')
          THEN RAISE EXCEPTION 'poison'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER poison BEFORE INSERT ON %s.transfer
          FOR EACH ROW EXECUTE FUNCTION %s.refuse_poison()
        """);
    TransferRequest first = Stage.direct("world", "shop", 1).reference("first");
    TransferRequest needsMore = Stage.direct("purse", "shop", 2).reference("poison");
    ledger.post(Stage.direct("world", "purse", 1));
    List<CompletableFuture<PostResult>> answers =
        inOneBatch(
            List.of(
                PostRequest.of(first),
                // Refused at first, for lack of funds; judged afresh it is poison, and the batch
                // that holds it is halved.
                PostRequest.of(needsMore),
                PostRequest.of(Stage.direct("world", "purse", 1)),
                PostRequest.of(first)),
            Fault.LOST_REPLY);
    assertThat(status(answers.get(0))).isEqualTo(CREATED);
    assertThatThrownBy(() -> status(answers.get(1))).hasCauseInstanceOf(UnavailableException.class);
    assertThat(status(answers.get(2))).isEqualTo(CREATED);
    assertThat(status(answers.get(3))).isEqualTo(EXISTS);
  }

  @Test
  void refusalsOfALostBatchAreJudgedAfresh() throws Exception {
    List<CompletableFuture<PostResult>> answers =
        inOneBatch(
            List.of(
                PostRequest.of(Stage.direct("purse", "shop", 4)),
                PostRequest.of(Stage.direct("world", "purse", 5)),
                PostRequest.of(Stage.direct("purse", "shop", 1))),
            Fault.LOST_REPLY);
    // The first came before the money and was refused; judged again, the money is there.
    assertThat(status(answers.get(0))).isEqualTo(CREATED);
    assertThat(status(answers.get(1))).isEqualTo(CREATED);
    assertThat(status(answers.get(2))).isEqualTo(CREATED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST_REPLY", "BROKEN_BEFORE"})
  void afterPatienceTheOutcomeIsUnknownAndARetryTellsTheTruth(Fault fault) {
    FaultyDataSource own = new FaultyDataSource(TestServer.application("impatient"));
    PostgresLedger impatient =
        stage.node(own.dataSource(), stage.config().patience(Duration.ofSeconds(1)));
    TransferRequest request = Stage.direct("world", "shop", 1);
    own.always(fault);
    own.refuse(fault == Fault.LOST_REPLY);
    assertThatThrownBy(() -> impatient.post(request))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    own.always(Fault.NONE);
    own.refuse(false);
    assertThat(stage.stored(request.id())).isEqualTo(fault == Fault.LOST_REPLY ? 1 : 0);
    AtomicReference<TransferStatus> first = new AtomicReference<>();
    Stage.until(() -> answers(impatient, request, first));
    assertThat(first.get()).isEqualTo(fault == Fault.LOST_REPLY ? EXISTS : CREATED);
    assertThat(stage.stored(request.id())).isEqualTo(1);
  }

  private static boolean answers(
      PostgresLedger impatient, TransferRequest request, AtomicReference<TransferStatus> first) {
    try {
      first.set(impatient.post(request).status());
      return true;
    } catch (UnavailableException e) {
      return false; // Its lane is still about to connect again.
    }
  }

  /** The standby that should have confirmed did not: the server's word alone is not enough. */
  @Test
  void aCommitThatWarnsIsAnsweredAfterABarrier() {
    long before = passed();
    faults.plan(Fault.WARNED);
    assertThat(ledger.post(Stage.direct("world", "shop", 1)).status()).isEqualTo(CREATED);
    assertThat(passed()).isEqualTo(before + 1);
    assertThat(stage.transfers()).isEqualTo(1);
  }

  @Test
  void aNewConnectionPassesTheBarrierBeforeAReplayIsAnswered() throws Exception {
    TransferRequest request = Stage.direct("world", "shop", 1);
    ledger.post(request);
    long before = passed();
    try (Connection holder = TestServer.owner().getConnection();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT * FROM " + stage.schema() + ".barrier FOR UPDATE");
      stage.terminate("ledger");
      CompletableFuture<PostResult> replay = ledger.submit(PostRequest.of(request));
      stage.awaitWaiting("ledger");
      assertThat(replay).isNotDone();
      holder.rollback();
      assertThat(status(replay)).isEqualTo(EXISTS);
    }
    assertThat(passed()).isEqualTo(before + 1);
  }

  /** Keeps the lane busy with something else until all of these wait in the queue. */
  private List<CompletableFuture<PostResult>> inOneBatch(List<PostRequest> requests, Fault fault)
      throws Exception {
    List<CompletableFuture<PostResult>> answers = new ArrayList<>();
    faults.plan(Fault.NONE, fault);
    int commits = faults.commits();
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "hot");
      CompletableFuture<PostResult> busy =
          ledger.submit(PostRequest.of(Stage.direct("world", "hot", 1)));
      stage.awaitWaiting("ledger");
      for (PostRequest request : requests) {
        answers.add(ledger.submit(request));
      }
      holder.rollback();
      assertThat(status(busy)).isEqualTo(CREATED);
    }
    CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .handle((done, failure) -> 0)
        .get(1, TimeUnit.MINUTES);
    assertThat(faults.commits()).as("all were in one batch").isLessThanOrEqualTo(commits + 8);
    return answers;
  }

  private long passed() {
    return stage.number("SELECT passed FROM %s.barrier");
  }

  private static TransferStatus status(CompletableFuture<PostResult> answer) throws Exception {
    return answer.get(1, TimeUnit.MINUTES).transfers().getFirst().status();
  }
}
