package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static dev.partita.TransferStatus.INSUFFICIENT_FUNDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Limits;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How often a write waits for the server. The driver itself waits between two statements that
 * travel together if it cannot tell how wide the rows of the second will be, and does so silently.
 */
class RoundTripsTest {

  /** More than it takes to prepare every statement, and to know the accounts. */
  private static final int WARM_UP = 8;

  private final Logger driver = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");
  private final Syncs syncs = new Syncs();
  private Stage stage;
  private PostgresLedger ledger;

  /** Counts how often the driver ends what it sends, to wait for the answers. */
  private static final class Syncs extends Handler {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void publish(LogRecord line) {
      if (line.getMessage().endsWith("FE=> Sync")) {
        count.incrementAndGet();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "a", "b");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "empty");
    syncs.setLevel(Level.ALL);
    driver.setUseParentHandlers(false);
    driver.setLevel(Level.FINEST);
    driver.addHandler(syncs);
  }

  @AfterEach
  void close() throws SQLException {
    driver.removeHandler(syncs);
    driver.setLevel(null);
    driver.setUseParentHandlers(true);
    stage.reconcile();
    stage.close();
  }

  /** Does something often enough for everything to be prepared, then once more, counting. */
  private int roundTrips(Callable<?> work) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      work.call();
    }
    syncs.count.set(0);
    work.call();
    return syncs.count.get();
  }

  @Test
  void aTransferTakesOneWhereNobodyElseWrites() throws Exception {
    assertThat(
            roundTrips(
                () ->
                    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED)))
        .isEqualTo(1);
  }

  @Test
  void aHundredTransfersInOneRequestTakeOne() throws Exception {
    assertThat(
            roundTrips(
                () -> {
                  List<PostItem> items = new ArrayList<>();
                  for (int i = 0; i < 100; i++) {
                    items.add(Stage.direct("a", "b", 1));
                  }
                  return ledger.post(new PostRequest(items));
                }))
        .isEqualTo(1);
  }

  @Test
  void aTransferThatOthersFollowTakesTwo() throws Exception {
    PostgresLedger other = stage.node("other");
    // Never alone, so that the states are always looked up.
    roundTrips(
        () -> {
          other.post(Stage.direct("a", "b", 1));
          return ledger.post(Stage.direct("a", "b", 1));
        });
    syncs.count.set(0);
    ledger.post(Stage.direct("a", "b", 1));
    assertThat(syncs.count.get()).isEqualTo(2);
  }

  @Test
  void aHoldTakesTwo() throws Exception {
    assertThat(roundTrips(() -> ledger.post(Stage.pending(UUID.randomUUID(), "a", "b", 1))))
        .isEqualTo(2);
  }

  @Test
  void aRefusalTakesTwo() throws Exception {
    assertThat(
            roundTrips(
                () ->
                    assertThat(ledger.post(Stage.direct("empty", "b", 1)).status())
                        .isEqualTo(INSUFFICIENT_FUNDS)))
        .isEqualTo(2);
  }

  @Test
  void aTransferInTheCallersTransactionTakesTwo() throws Exception {
    try (Connection connection = Stage.begin()) {
      assertThat(roundTrips(() -> ledger.inTransaction(connection).post(Stage.direct("a", "b", 1))))
          .isEqualTo(2);
      connection.commit();
    }
  }
}
