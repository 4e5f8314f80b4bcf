package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.GroupRequest;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever the order in which requests name their accounts, they are locked in one order: two nodes
 * and callers with transactions of their own never make PostgreSQL break a deadlock.
 */
class DeadlockTest {

  private static final int CALLERS = 12;
  private static final int ROUNDS = 8;
  private static final int ACCOUNTS = 10;

  private Stage stage;
  private PostgresLedger a;
  private PostgresLedger b;

  @BeforeEach
  void open() {
    stage = new Stage();
    a = stage.node("a");
    b = stage.node("b");
    List<String> ids = accounts();
    // Opened in an order that is not that of their names.
    Collections.shuffle(ids, new Random(1));
    Stage.open(a, ids.toArray(String[]::new));
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  private static List<String> accounts() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      ids.add("account:" + i);
    }
    return ids;
  }

  @Test
  void neverHappensAmongNodesGroupsBatchesAndCallersTransactions() throws Exception {
    long before = deadlocks();
    // Only now: a pool hands out what it has just looked at, though it was terminated meanwhile.
    DataSource callers = stage.pool("callers");
    List<Future<Void>> waiting = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      int number = caller;
      waiting.add(stage.start(() -> post(number, callers)));
    }
    for (Future<Void> caller : waiting) {
      caller.get(2, TimeUnit.MINUTES);
    }
    stage.reconcile();
    assertThat(stage.transfers()).isEqualTo((long) CALLERS * ROUNDS * (ACCOUNTS - 1));
    assertThat(deadlocks()).isEqualTo(before);
  }

  /** One caller: the same moves as singles, as a batch, as a group, or in its own transaction. */
  private Void post(int number, DataSource callers) throws SQLException {
    Random random = new Random(number);
    PostgresLedger node = number % 2 == 0 ? a : b;
    for (int round = 0; round < ROUNDS; round++) {
      List<TransferRequest> moves = moves(random);
      switch ((number + round) % 4) {
        case 0 -> moves.forEach(node::post);
        case 1 -> assertRecorded(node.post(new PostRequest(List.<PostItem>copyOf(moves))));
        case 2 -> assertThat(node.post(GroupRequest.of(moves)).isRecorded()).isTrue();
        default -> {
          try (Connection connection = callers.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(node.inTransaction(connection).post(GroupRequest.of(moves)).isRecorded())
                .isTrue();
            connection.commit();
          }
        }
      }
    }
    return null;
  }

  private static void assertRecorded(PostResult result) {
    assertThat(result.items()).allSatisfy(item -> assertThat(item.isRecorded()).isTrue());
  }

  /** Along all accounts, in any order. */
  private static List<TransferRequest> moves(Random random) {
    List<String> ids = accounts();
    Collections.shuffle(ids, random);
    List<TransferRequest> moves = new ArrayList<>();
    for (int i = 1; i < ids.size(); i++) {
      moves.add(Stage.direct(ids.get(i - 1), ids.get(i), 1));
    }
    return moves;
  }

  /** How many PostgreSQL has broken in this database; a session reports them at its end at last. */
  private long deadlocks() throws SQLException {
    for (String session : List.of("a", "b", "callers")) {
      stage.terminate(session);
    }
    return stage.number(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  }
}
