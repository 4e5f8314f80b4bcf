package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Crowd;
import dev.partita.validate.client.Flood;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Reconciliation;
import dev.partita.validate.client.Teller;
import dev.partita.validate.faults.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A bank at work while things are slow or stand still: the network, commits, a process of the
 * server, the standbys. Callers must be told in time that the ledger is full or late, and whether
 * anything was posted; what waits must stay within its bounds; and the rate must come back.
 */
public final class SlowSuite implements Suite {

  static final String APPLICATION = "partita-validate-slow";
  private static final String BOUNDED = "what waits in the ledger stays within its bounds";
  private static final String RECOVERS = "the rate recovers to 60 % within 30 s";

  private static final Bank BANK = new Bank(200, 20);
  private static final Duration TELLERS_PATIENCE = Duration.ofMinutes(5);
  private static final int CLIENTS = 64;
  private static final int QUEUE_MAX = 200;
  private static final int BATCH_MAX = 100;
  private static final int FLOOD = 3_000;
  private static final int RECOVERY_PERCENT = 60;
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private final Seam seam;

  /** The suite. */
  public SlowSuite() {
    this(Seam.NONE);
  }

  SlowSuite(Seam seam) {
    this.seam = seam;
  }

  @Override
  public String name() {
    return "slow";
  }

  @Override
  public String summary() {
    return "a bank at work while the network, the disk or the standbys are slow or stand still";
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Database database = Database.make(run);
        TcpProxy proxy = TcpProxy.before(database.addresses(), run.random("proxy"));
        HikariDataSource pool =
            Database.pool(seam.source(database.application(APPLICATION, proxy.addresses())));
        HikariDataSource reads = Database.pool(database.application("partita-validate-reads"));
        PostgresLedger reader =
            PostgresLedger.open(
                reads,
                PostgresConfig.builder().schema(database.schema()).sweepInterval(null).build());
        PostgresLedger ledger =
            PostgresLedger.open(
                pool,
                seam.config(
                        PostgresConfig.builder()
                            .schema(database.schema())
                            .queueTransfersMax(QUEUE_MAX)
                            .batchTransfersMax(BATCH_MAX)
                            .patience(patience(run)))
                    .build());
        Slownesses slow = new Slownesses(run, database, proxy)) {
      BANK.open(reader);
      Work work = new Work(run, seam.ledger(ledger), BANK.reconciliation(reader, run));
      work.all(database, slow);
      run.verify(reader);
    }
  }

  private static Duration patience(Run run) {
    return Duration.ofMillis(run.size(1_000, 2_000));
  }

  /** The work of one run. */
  private final class Work {
    private final Run run;
    private final Reconciliation reconciliation;
    private final Journal journal = new Journal();
    private final Teller teller;
    private final Crowd crowd;
    private final Flood flood;

    Work(Run run, Ledger ledger, Reconciliation reconciliation) {
      this.run = run;
      this.reconciliation = reconciliation;
      this.teller = new Teller(ledger, journal, run, TELLERS_PATIENCE);
      this.crowd = new Crowd(run, BANK, CLIENTS);
      this.flood = new Flood(ledger, journal, BANK, run.random("flood"));
    }

    void all(Database database, Slownesses slow)
        throws IOException, SQLException, InterruptedException {
      Goal goal = run.goal(1, 1);
      int times = 0;
      do {
        for (Slowness each : slow.all()) {
          if (seam.causes(each.what()) && !run.violated()) {
            one(each);
            seam.beforeComparing(database);
            reconciliation.compare(journal);
            journal.clear();
          }
        }
        times++;
      } while (!run.violated() && !goal.reached(times));
      reconciliation.awaitExpiries(Duration.ofSeconds(run.size(10, 30)));
      teller.report();
      run.fact("times through all troubles", times);
      run.fact("transfers of floods that found the queue full", flood.refused());
      run.require("transfers acknowledged", teller.recorded(), run.size(100, 20_000));
      run.require("transfers that found the queue full", flood.refused(), 1);
      run.require(
          "requests timed out",
          teller.unanswered(Reason.TIMED_OUT, Outcome.NOT_POSTED),
          run.size(0, 1));
      run.require("transfers of unknown outcome", teller.unknown(), run.size(0, 1));
    }

    private void one(Slowness slowness) throws IOException, SQLException, InterruptedException {
      run.phase(slowness.what());
      FutureTask<Void> work = new FutureTask<>(this::work);
      Thread.ofVirtual().name("crowd").start(work);
      try {
        rate(Duration.ofMillis(run.size(100, 2_000)));
        long before = rate(Duration.ofMillis(run.size(700, 5_000)));
        long during;
        slowness.begin();
        try {
          during = during(slowness);
        } finally {
          slowness.end();
        }
        recover(slowness, before, during);
      } finally {
        crowd.stop();
        join(work);
      }
      flood.settle(teller);
    }

    private Void work() throws InterruptedException {
      crowd.work(teller, run::violated);
      return null;
    }

    private long during(Slowness slowness) throws SQLException, InterruptedException {
      Duration window = Duration.ofMillis(run.size(1_500, 10_000));
      if (!slowness.holdsUp()) {
        return rate(window);
      }
      long begun = System.nanoTime();
      int taken = flood.send(FLOOD);
      long patiences = (System.nanoTime() - begun) / patience(run).toNanos();
      // Those whose patience ends give their places to others.
      long most = (QUEUE_MAX + BATCH_MAX) * (2 + patiences);
      run.check(
          BOUNDED,
          taken <= most,
          taken + " of " + FLOOD + " transfers were taken in, at most " + most + " may be");
      slowness.watch(window, this::answered);
      return 0;
    }

    /** Whatever was said about transfers that are recorded, or refused for what is recorded. */
    private long answered() {
      return teller.recorded() + teller.refused() + teller.replays();
    }

    private void recover(Slowness slowness, long before, long during) throws InterruptedException {
      Duration window = Duration.ofMillis(run.size(500, 2_000));
      long wanted = before * RECOVERY_PERCENT / 100;
      long begun = System.nanoTime();
      long after = rate(window);
      boolean judged = run.size(0, 1) == 1;
      while (judged && after < wanted && System.nanoTime() - begun < RECOVERY.toNanos()) {
        after = rate(window);
      }
      run.fact(slowness.what() + ": rate before", before, "transfers/s");
      if (!slowness.holdsUp()) {
        run.fact(slowness.what() + ": rate meanwhile", during, "transfers/s");
      }
      run.fact(slowness.what() + ": rate after", after, "transfers/s");
      if (judged) {
        run.fact(
            slowness.what() + ": recovered after",
            Duration.ofNanos(System.nanoTime() - begun).toMillis(),
            "ms");
        run.check(
            RECOVERS,
            after >= wanted,
            slowness.what() + ": " + before + " transfers/s before, " + after + " after");
      }
    }

    private long rate(Duration window) throws InterruptedException {
      long count = crowd.recorded();
      long begun = System.nanoTime();
      Thread.sleep(window);
      long nanos = System.nanoTime() - begun;
      run.progress(crowd.recorded(), 0, "transfers");
      return (crowd.recorded() - count) * 1_000_000_000 / nanos;
    }

    private static void join(FutureTask<Void> work) throws InterruptedException {
      try {
        work.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the clients failed: " + e.getCause(), e);
      }
    }
  }
}
