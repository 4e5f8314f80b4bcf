package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.EXISTS_DIFFERENT;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.rules.AccountState;
import dev.partita.rules.Draft;
import dev.partita.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lane that does not read what it knows sees all the same what others do. */
class KnownStatesTest {

  /** More than a lane takes to count on being alone. */
  private static final int BATCHES = 6;

  private static final AccountId ACCOUNT = AccountId.of("x");

  private Stage stage;
  private PostgresLedger ledger;
  private PostgresLedger other;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    other = stage.node("other");
    Stage.open(ledger, "world", "c", "d");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "a", "b");
    assertThat(ledger.post(Stage.direct("world", "a", 1_000)).status()).isEqualTo(CREATED);
    postAlone();
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /** Until the lane knows where a and b stand, and counts on it. */
  private void postAlone() {
    postAlone("a", "b");
  }

  private void postAlone(String from, String to) {
    for (int i = 0; i < BATCHES; i++) {
      assertThat(ledger.post(Stage.direct(from, to, 10)).status()).isEqualTo(CREATED);
    }
  }

  /** Something that others do, after which a has nothing to give. */
  interface Disturbance {
    void run(KnownStatesTest test) throws Exception;
  }

  static Stream<Named<Disturbance>> disturbances() {
    return Stream.of(
        Named.of("another node posts", test -> test.post(test.other, "a", 940)),
        Named.of("another node posts often, once on the account", KnownStatesTest::postOften),
        Named.of("a caller's transaction posts", KnownStatesTest::postInTransaction),
        Named.of("a caller's transaction posts and takes long", KnownStatesTest::postSlowly),
        Named.of("another node holds", test -> test.hold("a", 940)),
        Named.of("another node changes a limit", KnownStatesTest::changeLimit));
  }

  @ParameterizedTest
  @MethodSource("disturbances")
  void whatOthersDoIsSeen(Disturbance disturbance) throws Exception {
    disturbance.run(this);
    assertThat(ledger.post(Stage.direct("a", "b", 10)).status()).isEqualTo(INSUFFICIENT_FUNDS);
    assertThat(ledger.post(Stage.direct("b", "a", 10)).status()).isEqualTo(CREATED);
    postAloneBetween("b", "a");
  }

  /** Until the lane counts on being alone again, and until there is nothing left. */
  private void postAloneBetween(String from, String to) {
    for (int i = 0; i < BATCHES - 1; i++) {
      assertThat(ledger.post(Stage.direct(from, to, 10)).status()).isEqualTo(CREATED);
    }
    assertThat(ledger.post(Stage.direct(from, to, 10)).status()).isEqualTo(INSUFFICIENT_FUNDS);
  }

  private void post(PostgresLedger node, String from, long amount) {
    assertThat(node.post(Stage.direct(from, "c", amount)).status()).isEqualTo(CREATED);
  }

  private void hold(String from, long amount) {
    TransferStatus status =
        other.post(Stage.pending(UUID.randomUUID(), from, "c", amount)).status();
    assertThat(status).isEqualTo(CREATED);
  }

  private void changeLimit() {
    ChangeRequest change = ChangeRequest.of(AccountId.of("a")).minBalance(Balance.ofMinor(935));
    assertThat(other.change(change).status()).isEqualTo(ChangeResult.Status.CHANGED);
  }

  private void postOften() {
    post(other, "d", 1);
    post(other, "a", 940);
    post(other, "d", 1);
  }

  private void postInTransaction() throws SQLException {
    try (Connection connection = Stage.begin()) {
      other.inTransaction(connection).post(Stage.direct("a", "c", 940));
      connection.commit();
    }
  }

  /** Its number is taken long before it commits, and the lane is alone again meanwhile. */
  private void postSlowly() throws SQLException {
    try (Connection connection = Stage.begin()) {
      other.inTransaction(connection).post(Stage.direct("a", "c", 940));
      for (int i = 0; i < BATCHES; i++) {
        assertThat(ledger.post(Stage.direct("d", "world", 1)).status()).isEqualTo(CREATED);
      }
      connection.commit();
    }
  }

  /** Nothing in the tables would refuse a record that builds on the state before a credit. */
  @Test
  void whatOthersPayInCanBeSpent() {
    assertThat(other.post(Stage.direct("c", "a", 5)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("a", "b", 945)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("b", "world", 1_006)).status())
        .isEqualTo(INSUFFICIENT_FUNDS);
  }

  @Test
  void aRepeatIsAnsweredWithWhatIsRecordedWhateverTheAccountsAllowNow() {
    UUID id = UUID.randomUUID();
    TransferRequest request = Stage.direct(id, "a", "b", 940);
    Transfer recorded = ledger.post(request).orThrow();
    postAlone("c", "d");
    TransferResult repeated = ledger.post(request);
    assertThat(repeated.status()).isEqualTo(EXISTS);
    assertThat(repeated.orThrow()).isEqualTo(recorded);
    postAlone("c", "d");
    assertThat(ledger.post(Stage.direct(id, "a", "b", 939)).status()).isEqualTo(EXISTS_DIFFERENT);
  }

  @Test
  void theAnswerHasTheTimeThatIsStoredAndThatTheServerHadMeanwhile() {
    Instant before = stage.now();
    TransferResult result = ledger.post(Stage.direct("a", "b", 10));
    Instant after = stage.now();
    assertThat(result.orThrow().recordedAt()).isBetween(before, after);
    assertThat(other.transfer(result.id())).contains(result.orThrow());
  }

  /** Who reads a balance meanwhile may be told that it is final up to now. */
  @Test
  void theTimeIsReadWhenTheAccountsAreLocked() throws Exception {
    Instant waiting;
    Future<TransferResult> post;
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, "a");
      post = stage.start(() -> ledger.post(Stage.direct("a", "b", 10)));
      stage.awaitWaiting("ledger");
      waiting = stage.now();
      holder.rollback();
    }
    assertThat(post.get().orThrow().recordedAt()).isAfter(waiting);
  }

  @Test
  void nothingIsRecordedBeforeTheLastRecordOfItsAccountsThoughTheServerIsBehind() {
    ManualClock ahead = new ManualClock(stage.now().plus(Duration.ofHours(1)));
    PostgresLedger later = stage.node("later", stage.config().timeSource(ahead));
    Instant last = later.post(Stage.direct("a", "c", 1)).orThrow().recordedAt();
    for (int i = 0; i < 2 * BATCHES; i++) {
      assertThat(ledger.post(Stage.direct("a", "b", 1)).orThrow().recordedAt()).isEqualTo(last);
    }
  }

  @Test
  void whatWasRolledBackIsNotKnown() throws SQLException {
    try (Connection connection = Stage.begin()) {
      ledger.inTransaction(connection).post(Stage.direct("a", "c", 940));
      connection.rollback();
    }
    assertThat(ledger.post(Stage.direct("a", "b", 940)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(INSUFFICIENT_FUNDS);
  }

  @Test
  void aStateIsCountedOnAfterSomeBatchesAloneAndForgottenAfterAGap() {
    KnownStates states = new KnownStates();
    long batch = 100;
    for (int alone = 0; alone < 4; alone++) {
      assertThat(states.holdAt(batch)).isEqualTo(alone > 0);
      learn(states, batch++);
      assertThat(states.find(ACCOUNT)).isNull();
    }
    learn(states, batch++);
    assertThat(states.find(ACCOUNT)).isNotNull();
    assertThat(states.holdAt(batch)).isTrue();
    assertThat(states.holdAt(batch + 1)).isFalse();
    assertThat(states.find(ACCOUNT)).isNull();
  }

  private static void learn(KnownStates states, long batch) {
    FoundBooks found = new FoundBooks();
    AccountBalance balance = new AccountBalance(ACCOUNT, Stage.EUR, Side.CREDIT, 0, Counters.ZERO);
    found.addLocked(1, new AccountState(balance, Limits.NONE, false, Instant.EPOCH, null));
    found.setBatch(batch, Instant.EPOCH, "read committed", 1);
    states.learn(found, new Draft(found));
  }
}
