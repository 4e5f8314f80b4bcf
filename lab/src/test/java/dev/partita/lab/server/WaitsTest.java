package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.partita.lab.server.LabServer.Running;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The samples name what sessions wait for, and are in nobody's counts. */
@ExtendWith(LabServer.class)
@Timeout(30)
class WaitsTest {

  /** Between two looks whether it is so: asking without end would slow the server down. */
  private static final long PAUSE_NANOS = 5_000_000;

  private static final String WAITING =
      "SELECT FROM pg_stat_activity WHERE wait_event = 'transactionid'";

  private final Running server;

  WaitsTest(Running server) {
    this.server = server;
  }

  @Test
  void namesTheLockAndTheSlowClient() throws Exception {
    String table = server.schema() + ".t";
    Running.execute(server.owner(), "CREATE TABLE " + table + " AS SELECT 1 AS n");
    try (ServerAccount account = ServerAccount.open(server.owner(), "any");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection holder = server.owner().connect();
        Connection blocked = server.owner().connect();
        Connection watcher = server.superuser().connect()) {
      holder.setAutoCommit(false);
      execute(holder, "UPDATE " + table + " SET n = 2");
      Future<?> update =
          threads.submit(
              () -> {
                execute(blocked, "UPDATE " + table + " SET n = 3");
                return true;
              });
      awaitRow(watcher, WAITING);
      WaitShares seen = account.waits(Duration.ofMillis(5)).stop();
      holder.commit();
      update.get();
      assertThat(seen.samples()).isPositive();
      assertThat(seen.shares())
          .extracting(WaitShares.Share::event)
          .contains("Lock:transactionid", "Client:ClientRead");
      assertThat(seen.shares().stream().mapToDouble(WaitShares.Share::share).sum())
          .isCloseTo(1.0, within(1e-9));
      assertThat(seen.idleSessionsMean()).isNotNull();
      assertThat(seen.sampleMicrosMean()).isPositive();
      assertThat(seen.notes()).first().asString().startsWith("sampling puts load on the server");
    }
  }

  @Test
  void areNotCountedAsTransactions() throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), "any")) {
      ServerSnapshot before = account.before();
      WaitShares seen = account.waits(Duration.ofMillis(1)).stop();
      ServerUse use = ServerUse.between(before, account.after());
      assertThat(seen.samples()).isPositive();
      assertThat(use.transactions().commits()).isZero();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void awaitRow(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      while (!statement.executeQuery(query).next()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
