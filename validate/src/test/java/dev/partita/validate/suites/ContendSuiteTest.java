package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.validate.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A short run, and the faults it must find. */
class ContendSuiteTest {

  private static final String DEADLOCK =
      "no deadlock reaches a lane's caller or a transaction that posts once";

  private static Runs runs;

  @BeforeAll
  static void start() throws IOException {
    runs = new Runs();
  }

  @AfterAll
  static void stop() throws IOException {
    runs.close();
  }

  @Test
  void holds() {
    runs.held(new ContendSuite(), runs.given());
  }

  /** Without locks, and without the indexes that would turn a lost update into an error. */
  @Test
  void findsThatAccountsAreNotLocked() {
    runs.violated(
        new ContendSuite(
            new Tampering() {
              @Override
              public DataSource source(DataSource real) {
                return Proxies.rewriting(
                    real, sql -> sql.replaceAll("FOR NO KEY UPDATE OF a( SKIP LOCKED)?", ""));
              }

              @Override
              public void prepare(Database database) throws SQLException {
                try (Connection connection = database.owner().getConnection();
                    Statement statement = connection.createStatement()) {
                  statement.execute("SET search_path = " + database.schema());
                  for (String side : List.of("debit", "credit")) {
                    statement.execute("DROP INDEX transfer_" + side);
                    statement.execute(
                        "CREATE INDEX transfer_%1$s ON transfer (%1$s_no, %1$s_version)"
                            .formatted(side));
                  }
                }
              }
            }),
        runs.given(),
        "versions and running balances follow from the records",
        "no account is beyond a limit after any record");
  }

  /** Above READ COMMITTED the state that is read may be from before the lock. */
  @Test
  void findsThatAnOldSnapshotIsBuiltOn() {
    runs.violated(
        new ContendSuite(
            new Tampering() {
              @Override
              public DataSource source(DataSource real) {
                return Proxies.rewriting(
                    real,
                    sql ->
                        sql.replace(
                            "current_setting('transaction_isolation')", "'read committed'::text"));
              }
            }),
        runs.given(),
        "a post refused for its isolation waits for nobody");
  }

  @Test
  void findsADeadlockOfALanesCaller() {
    AtomicInteger posts = new AtomicInteger();
    runs.violated(
        new ContendSuite(
            new Tampering() {
              @Override
              public Ledger node(Ledger real) {
                return Proxies.proxy(
                    Ledger.class,
                    (method, arguments) -> {
                      if (method.getName().equals("post") && posts.incrementAndGet() % 50 == 0) {
                        throw new UnavailableException(
                            Reason.DATABASE_ERROR, Outcome.NOT_POSTED, "planted", deadlock());
                      }
                      return Proxies.call(real, method, arguments);
                    });
              }
            }),
        runs.given(),
        DEADLOCK);
  }

  @Test
  void findsADeadlockOfATransactionThatPostsOnce() {
    AtomicInteger posts = new AtomicInteger();
    runs.violated(
        new ContendSuite(
            new Tampering() {
              @Override
              public DataSource source(DataSource real) {
                return Proxies.failing(
                    real,
                    sql -> {
                      if (sql.startsWith("SAVEPOINT") && posts.incrementAndGet() % 20 == 0) {
                        throw deadlock();
                      }
                    });
              }
            }),
        runs.given(),
        DEADLOCK);
  }

  private static SQLException deadlock() {
    return new SQLException("planted deadlock", "40P01");
  }
}
