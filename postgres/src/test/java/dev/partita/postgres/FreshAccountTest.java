package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Balance;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.TransferRequest;
import dev.partita.TransferStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An account without any record yet: there is no record to lock, and still only one is first. */
class FreshAccountTest {

  private static final int CALLERS = 16;
  private static final int ROUNDS = 3;

  private Stage stage;
  private PostgresLedger a;
  private PostgresLedger b;

  @BeforeEach
  void open() {
    stage = new Stage();
    a = stage.node("a");
    b = stage.node("b");
    Stage.open(a, "to");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /** Two nodes, and callers with transactions of their own, all at the same moment. */
  @Test
  void givesNoMoreThanItsLimitToTheFirstWhoAsk() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String fresh = "fresh:" + round;
      Stage.open(a, new Limits(Balance.ofMinor(-100), null), fresh);

      List<TransferStatus> statuses = atOnce(caller -> post(caller, Stage.direct(fresh, "to", 60)));

      assertThat(statuses).containsOnlyOnce(CREATED).containsOnly(CREATED, INSUFFICIENT_FUNDS);
      assertThat(stage.sumOf(fresh)).isEqualTo(-60);
    }
  }

  /** Everybody opens the same account and uses it at once. */
  @Test
  void isOpenedOnceByAllWhoUseItAtOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      NewAccount account =
          NewAccount.of("shared:" + round, "EUR").limits(new Limits(Balance.ofMinor(-100), null));

      List<OpenResult.Status> opened = new ArrayList<>();
      List<TransferStatus> statuses =
          atOnce(
              caller -> {
                OpenResult result = (caller % 2 == 0 ? a : b).open(List.of(account)).getFirst();
                synchronized (opened) {
                  opened.add(result.status());
                }
                return post(caller, Stage.direct(account.id().value(), "to", 60));
              });

      assertThat(opened)
          .containsOnlyOnce(OpenResult.Status.CREATED)
          .containsOnly(OpenResult.Status.CREATED, OpenResult.Status.EXISTS);
      assertThat(statuses).containsOnlyOnce(CREATED).containsOnly(CREATED, INSUFFICIENT_FUNDS);
      assertThat(stage.sumOf(account.id().value())).isEqualTo(-60);
    }
  }

  private TransferStatus post(int caller, TransferRequest request) throws SQLException {
    PostgresLedger node = caller % 2 == 0 ? a : b;
    if (caller % 4 < 2) {
      return node.post(request).status();
    }
    try (Connection connection = Stage.begin()) {
      TransferStatus status = node.inTransaction(connection).post(request).status();
      connection.commit();
      return status;
    }
  }

  interface Caller {
    TransferStatus call(int number) throws Exception;
  }

  private List<TransferStatus> atOnce(Caller caller) throws Exception {
    CyclicBarrier start = new CyclicBarrier(CALLERS);
    List<Future<TransferStatus>> waiting = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int number = i;
      waiting.add(
          stage.start(
              () -> {
                start.await();
                return caller.call(number);
              }));
    }
    List<TransferStatus> statuses = new ArrayList<>();
    for (Future<TransferStatus> one : waiting) {
      statuses.add(one.get(1, TimeUnit.MINUTES));
    }
    return statuses;
  }
}
