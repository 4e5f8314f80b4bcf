package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.DEBIT_ACCOUNT_NOT_FOUND;
import static dev.partita.TransferStatus.EXISTS;
import static dev.partita.TransferStatus.EXISTS_DIFFERENT;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.partita.AccountId;
import dev.partita.ConflictException;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Limits;
import dev.partita.MisuseException;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posting inside the caller's own database transaction. */
class InTransactionTest {

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "shop", "world", "fees");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "purse");
    stage.execute("CREATE TABLE %s.orders (id int PRIMARY KEY)");
    stage.execute("GRANT ALL ON %s.orders TO PUBLIC");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void commitsAndRollsBackWithTheOrder() throws SQLException {
    TransferRequest kept = Stage.direct("world", "shop", 5);
    TransferRequest lost = Stage.direct("world", "shop", 7);
    try (Connection connection = Stage.begin()) {
      order(connection, 1);
      assertThat(post(connection, lost).status()).isEqualTo(CREATED);
      connection.rollback();
      order(connection, 2);
      assertThat(post(connection, kept).status()).isEqualTo(CREATED);
      connection.commit();
    }
    assertThat(stage.number("SELECT sum(id) FROM %s.orders")).isEqualTo(2);
    assertThat(stage.stored(lost.id())).isZero();
    assertThat(stage.stored(kept.id())).isEqualTo(1);
    assertThat(ledger.post(lost).status()).as("a rolled back id is free").isEqualTo(CREATED);
  }

  @Test
  void staysUsableAfterARefusalOrAUsedId() throws SQLException {
    TransferRequest first = Stage.direct("world", "shop", 1);
    ledger.post(first);
    try (Connection connection = Stage.begin()) {
      assertThat(post(connection, Stage.direct("purse", "shop", 1)).status())
          .isEqualTo(INSUFFICIENT_FUNDS);
      assertThat(post(connection, Stage.direct("nobody", "shop", 1)).status())
          .isEqualTo(DEBIT_ACCOUNT_NOT_FOUND);
      assertThat(post(connection, first).status()).isEqualTo(EXISTS);
      assertThat(post(connection, Stage.direct(first.id(), "world", "shop", 2)).status())
          .isEqualTo(EXISTS_DIFFERENT);
      order(connection, 1);
      assertThat(post(connection, Stage.direct("world", "fees", 3)).status()).isEqualTo(CREATED);
      connection.commit();
    }
    assertThat(stage.number("SELECT count(*) FROM %s.orders")).isEqualTo(1);
    assertThat(stage.sumOf("fees")).isEqualTo(3);
  }

  /** The id is taken between the look-up and the write: found out by the unique index only. */
  @Test
  void staysUsableAfterLosingTheRaceForAnId() throws Exception {
    UUID id = UUID.randomUUID();
    try (Connection other = Stage.begin();
        Connection connection = Stage.begin()) {
      assertThat(post(other, Stage.direct(id, "world", "fees", 1)).status()).isEqualTo(CREATED);
      order(connection, 1);
      Stage.open(ledger, "elsewhere:a", "elsewhere:b");
      Future<TransferResult> second =
          stage.start(() -> post(connection, Stage.direct(id, "elsewhere:a", "elsewhere:b", 1)));
      stage.awaitWaiting("test");
      other.commit();
      assertThat(second.get(1, TimeUnit.MINUTES).status()).isEqualTo(EXISTS_DIFFERENT);
      order(connection, 2);
      connection.commit();
    }
    assertThat(stage.number("SELECT count(*) FROM %s.orders")).isEqualTo(2);
  }

  @Test
  void showsNothingToOthersBeforeTheCommit() throws SQLException {
    TransferRequest transfer = Stage.direct("world", "shop", 5);
    try (Connection connection = Stage.begin()) {
      post(connection, transfer);
      assertThat(stage.stored(transfer.id())).isZero();
      assertThat(ledger.transfers(List.of(transfer.id()))).isEmpty();
      assertThat(ledger.balance(AccountId.of("shop")).state().version()).isZero();
      connection.commit();
    }
    assertThat(ledger.transfers(List.of(transfer.id()))).hasSize(1);
  }

  @Test
  void postsTwiceInOneTransaction() throws SQLException {
    UUID hold = UUID.randomUUID();
    UUID groupId = UUID.randomUUID();
    try (Connection connection = Stage.begin()) {
      post(connection, Stage.direct("world", "purse", 10));
      assertThat(post(connection, Stage.pending(hold, "purse", "shop", 6)).status())
          .isEqualTo(CREATED);
      assertThat(post(connection, Stage.direct("purse", "shop", 5)).status())
          .as("sees what the transaction itself posted")
          .isEqualTo(INSUFFICIENT_FUNDS);
      assertThat(post(connection, TransferRequest.capture(UUID.randomUUID(), hold)).status())
          .isEqualTo(CREATED);
      GroupRequest group =
          new GroupRequest(
              groupId,
              List.of(
                  Stage.pending(UUID.randomUUID(), "purse", "shop", 1),
                  Stage.pending(UUID.randomUUID(), "purse", "fees", 3)));
      assertThat(ledger.inTransaction(connection).post(group).isRecorded()).isTrue();
      assertThat(
              ledger
                  .inTransaction(connection)
                  .post(PostRequest.of(GroupResolution.postGroup(UUID.randomUUID(), groupId)))
                  .transfers())
          .extracting(TransferResult::status)
          .containsExactly(CREATED, CREATED);
      connection.commit();
    }
    assertThat(stage.sumOf("purse")).isZero();
    assertThat(stage.number("SELECT count(*) FROM %s.hold")).isZero();
  }

  @Test
  void refusesConnectionsThatCannotBePostedOn() throws SQLException {
    TransferRequest transfer = Stage.direct("world", "shop", 1);
    try (Connection connection = Stage.begin()) {
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> post(connection, transfer)).isInstanceOf(MisuseException.class);
    }
    try (Connection connection = Stage.begin()) {
      connection.setReadOnly(true);
      assertThatThrownBy(() -> post(connection, transfer)).isInstanceOf(MisuseException.class);
    }
    try (Connection connection = Stage.begin();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("SELECT 1 / 0")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> post(connection, transfer)).isInstanceOf(MisuseException.class);
    }
    assertThat(stage.transfers()).isZero();
  }

  /**
   * Locking an account that others have posted on meanwhile fails under no isolation, and where
   * they used its other side no unique index sees that the version is taken.
   */
  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void neverBuildsOnAnOldSnapshot(int isolation) throws SQLException {
    try (Connection connection = begin(isolation)) {
      order(connection, 1);
      ledger.post(Stage.direct("world", "fees", 5));
      assertThatThrownBy(() -> post(connection, Stage.direct("fees", "shop", 3)))
          .isInstanceOf(MisuseException.class)
          .hasMessageContaining("READ COMMITTED");
    }
    assertThat(stage.sumOf("fees")).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void refusesAnotherIsolationWithoutWaitingAndWithoutHarm(int isolation) throws SQLException {
    try (Connection holder = Stage.begin();
        Connection connection = begin(isolation);
        Statement statement = connection.createStatement()) {
      stage.lock(holder, "shop");
      // Waiting would end in a conflict.
      statement.execute("SET LOCAL lock_timeout = 5000");
      assertThatThrownBy(() -> post(connection, Stage.direct("world", "shop", 1)))
          .isInstanceOf(MisuseException.class);
      stage.lock(holder, "world");
      order(connection, 1);
      connection.commit();
    }
    assertThat(stage.number("SELECT count(*) FROM %s.orders")).isEqualTo(1);
    assertThat(stage.transfers()).isZero();
  }

  /**
   * The hold turns up while the accounts named are waited for. Its accounts come before them, and
   * another transaction that posts once has locked one.
   */
  @Test
  void locksNothingOutOfOrder() throws Exception {
    UUID hold = UUID.randomUUID();
    Stage.open(ledger, "late");
    try (Connection holder = Stage.begin();
        Connection capturing = named("capturing");
        Connection other = named("other")) {
      stage.lock(holder, "late");
      GroupRequest group =
          new GroupRequest(
              UUID.randomUUID(),
              List.of(
                  Stage.direct("fees", "late", 1),
                  TransferRequest.capture(UUID.randomUUID(), hold)));
      Future<Object> capture =
          stage.start(
              () -> {
                try {
                  return ledger.inTransaction(capturing).post(group).isRecorded();
                } catch (ConflictException e) {
                  capturing.rollback();
                  return e;
                }
              });
      stage.awaitWaiting("capturing");
      assertThat(ledger.post(Stage.pending(hold, "world", "shop", 1)).status()).isEqualTo(CREATED);
      Future<Object> second = stage.start(() -> postOrConflict(other, "shop", "late"));
      stage.awaitWaiting("capturing", "other");
      holder.rollback();
      assertThat(capture.get(1, TimeUnit.MINUTES))
          .isInstanceOf(ConflictException.class)
          .asInstanceOf(THROWABLE)
          .hasNoCause();
      assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(CREATED);
      assertThat(ledger.inTransaction(capturing).post(group).isRecorded()).isTrue();
      capturing.commit();
    }
  }

  @Test
  void readUncommittedIsReadCommitted() throws SQLException {
    try (Connection connection = begin(Connection.TRANSACTION_READ_UNCOMMITTED)) {
      assertThat(post(connection, Stage.direct("purse", "shop", 1)).status())
          .isEqualTo(INSUFFICIENT_FUNDS);
    }
  }

  @Test
  void answersAConflictWhenALockTimesOut() throws SQLException {
    try (Connection holder = Stage.begin();
        Connection connection = Stage.begin();
        Statement statement = connection.createStatement()) {
      stage.lock(holder, "shop");
      statement.execute("SET LOCAL lock_timeout = 50");
      assertThatThrownBy(() -> post(connection, Stage.direct("world", "shop", 1)))
          .isInstanceOf(ConflictException.class);
    }
    assertThat(stage.transfers()).isZero();
  }

  @Test
  void answersAConflictInADeadlock() throws Exception {
    try (Connection one = Stage.begin();
        Connection two = Stage.begin()) {
      stage.lock(one, "shop");
      stage.lock(two, "fees");
      Future<Object> ofOne = stage.start(() -> postOrConflict(one, "world", "fees"));
      Future<Object> ofTwo = stage.start(() -> postOrConflict(two, "world", "shop"));
      List<Object> answers = new ArrayList<>();
      answers.add(ofOne.get(1, TimeUnit.MINUTES));
      answers.add(ofTwo.get(1, TimeUnit.MINUTES));
      assertThat(answers)
          .containsOnlyOnce(CREATED)
          .hasAtLeastOneElementOfType(ConflictException.class);
    }
  }

  private Object postOrConflict(Connection connection, String debit, String credit)
      throws SQLException {
    try {
      TransferStatus status = post(connection, Stage.direct(debit, credit, 1)).status();
      connection.commit();
      return status;
    } catch (ConflictException e) {
      connection.rollback();
      return e;
    }
  }

  /** Callers' transactions and group commit on one hot account with a limit, 16 threads. */
  @Test
  void callersTransactionsAndGroupCommitAddUp() throws Exception {
    Stage.open(ledger, "out:0", "out:1", "out:2", "out:3");
    ledger.post(Stage.direct("world", "purse", 400));
    AtomicLong created = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    List<Future<Void>> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      boolean inside = i % 2 == 0;
      String credit = "out:" + i % 4;
      callers.add(
          stage.start(
              () -> {
                for (int n = 0; n < 30; n++) {
                  TransferRequest request = Stage.direct("purse", credit, 1);
                  TransferStatus status =
                      inside ? postAndCommit(request) : ledger.post(request).status();
                  assertThat(status).isIn(CREATED, INSUFFICIENT_FUNDS);
                  (status == CREATED ? created : refused).incrementAndGet();
                }
                return null;
              }));
    }
    for (Future<Void> caller : callers) {
      caller.get(2, TimeUnit.MINUTES);
    }
    assertThat(created.get()).isEqualTo(400);
    assertThat(refused.get()).isEqualTo(80);
    assertThat(stage.sumOf("purse")).isZero();
    assertThat(stage.transfers()).isEqualTo(401);
  }

  /** As an application does it: again from the start after a conflict, after nothing else. */
  private TransferStatus postAndCommit(TransferRequest request) throws SQLException {
    while (true) {
      try (Connection connection = TestServer.application().getConnection()) {
        connection.setAutoCommit(false);
        try {
          TransferStatus status = post(connection, request).status();
          connection.commit();
          return status;
        } catch (ConflictException e) {
          connection.rollback();
        }
      }
    }
  }

  private TransferResult post(Connection connection, TransferRequest request) {
    return ledger.inTransaction(connection).post(request);
  }

  private static Connection begin(int isolation) throws SQLException {
    Connection connection = Stage.begin();
    connection.setTransactionIsolation(isolation);
    return connection;
  }

  private static Connection named(String applicationName) throws SQLException {
    Connection connection = Stage.dataSource(applicationName).getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private void order(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO " + stage.schema() + ".orders VALUES (" + id + ")");
    }
  }
}
