package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.EXCEEDS_ORIGINAL;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.EXISTS_DIFFERENT;
import static dev.partita.TransferStatus.GROUP_FAILED;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static dev.partita.TransferStatus.PENDING_ALREADY_POSTED;
import static dev.partita.TransferStatus.PENDING_ALREADY_VOIDED;
import static dev.partita.TransferStatus.PENDING_EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.GroupRequest;
import dev.partita.Limits;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two nodes want the same thing at the same time. A session of the test's own keeps the accounts
 * locked until both nodes are seen waiting for them; then it lets go, and exactly one node wins.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RaceTest {

  private static final int REPETITIONS = 25;
  private static final int REPETITIONS_SLOW = 1_000;

  private Stage stage;
  private PostgresLedger a;
  private PostgresLedger b;
  private PostgresLedger later;

  /** One round of a race; a round opens accounts of its own. */
  interface Race {
    void run(int round) throws Exception;
  }

  @BeforeAll
  void open() {
    stage = new Stage();
    ManualClock clock = new ManualClock();
    ManualClock ahead = new ManualClock(ManualClock.START.plus(Duration.ofHours(1)));
    a = stage.node("a", config().timeSource(clock));
    b = stage.node("b", config().timeSource(clock));
    later = stage.node("later", config().timeSource(ahead));
  }

  private PostgresConfig.Builder config() {
    return stage.config().patience(Duration.ofMinutes(5)).contentionPatience(Duration.ofMinutes(4));
  }

  @AfterAll
  void close() throws SQLException {
    stage.close();
  }

  @ParameterizedTest
  @MethodSource("races")
  void exactlyOneWins(Race race) throws Exception {
    for (int round = 0; round < REPETITIONS; round++) {
      race.run(round);
    }
    stage.reconcile();
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("races")
  void exactlyOneWinsAThousandTimes(Race race) throws Exception {
    for (int round = 0; round < REPETITIONS_SLOW; round++) {
      race.run(round);
    }
    stage.reconcile();
  }

  Stream<Named<Race>> races() {
    return Stream.of(
        Named.of("two captures of one hold", round -> captures()),
        Named.of("two partial captures that together exceed the hold", round -> partCaptures()),
        Named.of("two reversals of one original", round -> reversals()),
        Named.of("one id twice, equal", round -> sameIdEqual()),
        Named.of("one id twice, on other accounts", round -> sameIdElsewhere()),
        Named.of("an id that an open transaction uses", this::idInOpenTransaction),
        Named.of("the first debits of a fresh account", round -> firstDebits()),
        Named.of("two debits of all there is", round -> lastMoney()),
        Named.of("capture, void and expiry of one hold", round -> endsOfAHold()),
        Named.of("one group id for two groups", round -> groups(false)),
        Named.of("one group id for two groups, on other accounts", round -> groups(true)),
        Named.of("one group twice", round -> sameGroup()));
  }

  private void captures() throws Exception {
    String[] accounts = accounts(2);
    UUID hold = hold(accounts, 100);
    List<TransferResult> results = race(accounts, capture(hold, null), capture(hold, null));
    assertOneCreated(results, PENDING_ALREADY_POSTED);
  }

  private void partCaptures() throws Exception {
    String[] accounts = accounts(2);
    UUID hold = hold(accounts, 100);
    List<TransferResult> results = race(accounts, capture(hold, 60L), capture(hold, 60L));
    assertOneCreated(results, PENDING_ALREADY_POSTED);
  }

  private void reversals() throws Exception {
    String[] accounts = accounts(2);
    UUID original = a.post(Stage.direct(accounts[0], accounts[1], 100)).id();
    List<TransferResult> results =
        race(
            accounts,
            TransferRequest.reversal(UUID.randomUUID(), original),
            TransferRequest.reversal(UUID.randomUUID(), original));
    assertOneCreated(results, EXCEEDS_ORIGINAL);
  }

  private void sameIdEqual() throws Exception {
    String[] accounts = accounts(2);
    TransferRequest transfer = Stage.direct(accounts[0], accounts[1], 100);
    assertOneCreated(race(accounts, transfer, transfer), EXISTS);
    assertThat(stage.stored(transfer.id())).isEqualTo(1);
  }

  private void sameIdElsewhere() throws Exception {
    String[] accounts = accounts(4);
    UUID id = UUID.randomUUID();
    List<TransferResult> results =
        race(
            accounts,
            Stage.direct(id, accounts[0], accounts[1], 100),
            Stage.direct(id, accounts[2], accounts[3], 100));
    assertOneCreated(results, EXISTS_DIFFERENT);
    assertThat(stage.stored(id)).isEqualTo(1);
  }

  /** The other transaction has recorded the id, but nobody can see it until it commits. */
  private void idInOpenTransaction(int round) throws Exception {
    boolean elsewhere = round % 2 == 0;
    boolean commits = round / 2 % 2 == 0;
    String[] accounts = accounts(4);
    UUID id = UUID.randomUUID();
    TransferRequest first = Stage.direct(id, accounts[0], accounts[1], 100);
    TransferRequest second = elsewhere ? Stage.direct(id, accounts[2], accounts[3], 100) : first;
    try (Connection open = Stage.begin()) {
      assertThat(a.inTransaction(open).post(first).status()).isEqualTo(CREATED);
      Future<TransferResult> waiting = stage.start(() -> b.post(second));
      stage.awaitWaiting("b");
      if (commits) {
        open.commit();
      } else {
        open.rollback();
      }
      TransferStatus expected = elsewhere ? EXISTS_DIFFERENT : EXISTS;
      assertThat(get(waiting).status()).isEqualTo(commits ? expected : CREATED);
    }
    assertThat(stage.stored(id)).isEqualTo(1);
  }

  /** A row that is not there cannot be locked: the account has no record yet. */
  private void firstDebits() throws Exception {
    String[] accounts = accounts(3);
    String fresh = "fresh:" + UUID.randomUUID();
    Stage.open(a, new Limits(Balance.ofMinor(-100), null), fresh);
    List<TransferResult> results =
        race(
            new String[] {fresh, accounts[0], accounts[1]},
            Stage.direct(fresh, accounts[0], 100),
            Stage.direct(fresh, accounts[1], 100));
    assertOneCreated(results, INSUFFICIENT_FUNDS);
    assertThat(stage.sumOf(fresh)).isEqualTo(-100);
  }

  private void lastMoney() throws Exception {
    String[] accounts = accounts(3);
    String purse = "purse:" + UUID.randomUUID();
    Stage.open(a, Limits.NOT_NEGATIVE, purse);
    a.post(Stage.direct(accounts[0], purse, 100));
    List<TransferResult> results =
        race(
            new String[] {purse, accounts[1], accounts[2]},
            Stage.direct(purse, accounts[1], 100),
            Stage.direct(purse, accounts[2], 100));
    assertOneCreated(results, INSUFFICIENT_FUNDS);
    assertThat(stage.sumOf(purse)).isZero();
  }

  private void endsOfAHold() throws Exception {
    String[] accounts = accounts(2);
    UUID id = UUID.randomUUID();
    a.post(Stage.pending(id, accounts[0], accounts[1], 100).timeoutSeconds(60));
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, accounts);
      Future<TransferResult> capture = stage.start(() -> a.post(capture(id, null)));
      Future<TransferResult> voided =
          stage.start(() -> b.post(TransferRequest.voiding(UUID.randomUUID(), id)));
      Future<List<Transfer>> expired = stage.start(() -> later.expireDue(1));
      stage.awaitWaiting("a", "b", "later");
      holder.rollback();
      List<TransferStatus> statuses =
          new ArrayList<>(List.of(get(capture).status(), get(voided).status()));
      if (!get(expired).isEmpty()) {
        statuses.add(CREATED);
      }
      assertThat(statuses)
          .containsOnlyOnce(CREATED)
          .allMatch(
              status ->
                  status == CREATED
                      || status == PENDING_ALREADY_POSTED
                      || status == PENDING_ALREADY_VOIDED
                      || status == PENDING_EXPIRED);
    }
    assertThat(stage.number("SELECT count(*) FROM %s.transfer WHERE related_id = '" + id + "'"))
        .isEqualTo(1);
  }

  private void groups(boolean elsewhere) throws Exception {
    String[] accounts = accounts(4);
    UUID groupId = UUID.randomUUID();
    int second = elsewhere ? 2 : 0;
    List<TransferResult> results =
        race(
            accounts,
            group(groupId, accounts[0], accounts[1]),
            group(groupId, accounts[second], accounts[second + 1]));
    List<TransferStatus> statuses = results.stream().map(TransferResult::status).toList();
    assertThat(statuses)
        .containsExactlyInAnyOrder(CREATED, CREATED, EXISTS_DIFFERENT, GROUP_FAILED);
    assertThat(stage.number("SELECT count(*) FROM %s.transfer WHERE group_id = '" + groupId + "'"))
        .isEqualTo(2);
  }

  private void sameGroup() throws Exception {
    String[] accounts = accounts(2);
    GroupRequest group = group(UUID.randomUUID(), accounts[0], accounts[1]);
    List<TransferResult> results = race(accounts, group, group);
    assertThat(results.stream().map(TransferResult::status))
        .containsExactlyInAnyOrder(CREATED, CREATED, EXISTS, EXISTS);
  }

  /** Both nodes wait for the accounts, then both go on. */
  private List<TransferResult> race(String[] accounts, PostItem first, PostItem second)
      throws Exception {
    try (Connection holder = Stage.begin()) {
      stage.lock(holder, accounts);
      Future<List<TransferResult>> ofA =
          stage.start(() -> a.post(PostRequest.of(first)).transfers());
      Future<List<TransferResult>> ofB =
          stage.start(() -> b.post(PostRequest.of(second)).transfers());
      stage.awaitWaiting("a", "b");
      holder.rollback();
      List<TransferResult> results = new ArrayList<>(get(ofA));
      results.addAll(get(ofB));
      return results;
    }
  }

  private static void assertOneCreated(List<TransferResult> results, TransferStatus other) {
    assertThat(results.stream().map(TransferResult::status))
        .containsExactlyInAnyOrder(CREATED, other);
  }

  private static <T> T get(Future<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(Stage.DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private String[] accounts(int count) {
    String[] ids = new String[count];
    for (int i = 0; i < count; i++) {
      ids[i] = "r:" + UUID.randomUUID();
    }
    Stage.open(a, ids);
    return ids;
  }

  private UUID hold(String[] accounts, long amount) {
    return a.post(Stage.pending(UUID.randomUUID(), accounts[0], accounts[1], amount)).id();
  }

  private static TransferRequest capture(UUID hold, Long amount) {
    TransferRequest all = TransferRequest.capture(UUID.randomUUID(), hold);
    return amount == null ? all : all.amount(Amount.ofMinor(amount));
  }

  private static GroupRequest group(UUID id, String debit, String credit) {
    return new GroupRequest(
        id, List.of(Stage.direct(debit, credit, 1), Stage.direct(debit, credit, 2)));
  }
}
