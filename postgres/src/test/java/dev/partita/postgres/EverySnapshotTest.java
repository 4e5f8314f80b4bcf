package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Limits;
import dev.partita.TransferRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many callers move money of accounts with limits, through two nodes and in transactions of their
 * own; whoever looks in between, with plain SQL, sees books that add up and no limit broken.
 */
class EverySnapshotTest {

  private static final int CALLERS = 64;
  private static final int PURSES = 6;

  private Stage stage;
  private PostgresLedger[] nodes;

  @BeforeEach
  void open() {
    stage = new Stage();
    nodes = new PostgresLedger[] {stage.node("a"), stage.node("b")};
    Stage.open(nodes[0], "world");
    for (int i = 0; i < PURSES; i++) {
      Stage.open(nodes[0], Limits.NOT_NEGATIVE, "purse:" + i);
      nodes[0].post(Stage.direct("world", "purse:" + i, 100));
    }
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  @Test
  void addsUpAndBreaksNoLimit() throws Exception {
    hammer(8);
  }

  @Tag("slow")
  @Test
  void addsUpAndBreaksNoLimitForLong() throws Exception {
    hammer(1_000);
  }

  private void hammer(int rounds) throws Exception {
    AtomicInteger working = new AtomicInteger(CALLERS);
    List<Future<Void>> callers = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      Random random = new Random(caller);
      callers.add(
          stage.start(
              () -> {
                try {
                  for (int i = 0; i < rounds; i++) {
                    post(random);
                  }
                } finally {
                  working.decrementAndGet();
                }
                return null;
              }));
    }
    int looks = 0;
    try (Connection reader = TestServer.connect()) {
      while (working.get() > 0) {
        look(reader);
        looks++;
      }
      look(reader);
    }
    for (Future<Void> caller : callers) {
      caller.get(10, TimeUnit.MINUTES);
    }
    assertThat(looks).isPositive();
    stage.reconcile();
  }

  private void post(Random random) throws SQLException {
    PostgresLedger node = nodes[random.nextInt(nodes.length)];
    int from = random.nextInt(PURSES);
    String debit = "purse:" + from;
    String credit = "purse:" + (from + 1 + random.nextInt(PURSES - 1)) % PURSES;
    long amount = random.nextInt(120);
    switch (random.nextInt(4)) {
      case 0, 1 -> node.post(Stage.direct(debit, credit, amount));
      case 2 -> {
        UUID hold = UUID.randomUUID();
        node.post(Stage.pending(hold, debit, credit, amount));
        node.post(
            random.nextBoolean()
                ? TransferRequest.capture(UUID.randomUUID(), hold)
                : TransferRequest.voiding(UUID.randomUUID(), hold));
      }
      default -> {
        try (Connection connection = Stage.begin()) {
          node.inTransaction(connection).post(Stage.direct(debit, credit, amount));
          connection.commit();
        }
      }
    }
  }

  /** One statement, one snapshot. */
  private void look(Connection reader) throws SQLException {
    try (Statement statement = reader.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT sum(balance_minor), sum(held_minor), sum(expected_minor),
                       min(balance_minor - held_minor) FILTER (WHERE min_balance_minor IS NOT NULL)
                FROM %s.accounts
                """
                    .formatted(stage.schema()))) {
      row.next();
      assertThat(row.getLong(1)).as("sum of all balances").isZero();
      assertThat(row.getLong(2)).as("held and expected").isEqualTo(row.getLong(3));
      assertThat(row.getLong(4)).as("the lowest of those with a limit").isNotNegative();
    }
  }
}
