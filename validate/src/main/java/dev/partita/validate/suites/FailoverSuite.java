package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Crowd;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Reconciliation;
import dev.partita.validate.client.Teller;
import dev.partita.validate.faults.Trio;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * A bank at work while its primary is killed or paused and a synchronous standby takes over, again
 * and again.
 */
public final class FailoverSuite implements Suite {

  private static final Bank BANK = new Bank(200, 20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int CLIENTS = 16;

  /** Enough for a short run: every step is in one of them. */
  private static final List<Failover> SHORT = List.of(Failover.CUT_OFF, Failover.RESUMED);

  private final UnaryOperator<DataSource> fault;
  private final boolean synchronous;
  private final List<Failover> shortRound;

  /** The suite as users run it. */
  public FailoverSuite() {
    this(UnaryOperator.identity(), true, SHORT);
  }

  /**
   * With a planted fault.
   *
   * @param fault what becomes of the connections of both ledgers
   * @param synchronous whether commits wait for a standby
   * @param shortRound what a short run does
   */
  FailoverSuite(UnaryOperator<DataSource> fault, boolean synchronous, List<Failover> shortRound) {
    this.fault = fault;
    this.synchronous = synchronous;
    this.shortRound = shortRound;
  }

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String summary() {
    return "a bank at work while standbys take over from killed and paused primaries";
  }

  @Override
  public boolean needsOwnServer() {
    return true;
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Trio trio = Trio.make(run, synchronous);
        HikariDataSource reads = Database.pool(trio.application("partita-validate-reads"));
        PostgresLedger ledger =
            PostgresLedger.open(
                fault.apply(trio.application(Failovers.LEDGER)), PostgresConfig.defaults());
        PostgresLedger other =
            PostgresLedger.open(
                fault.apply(trio.application(Failovers.OTHER)),
                PostgresConfig.builder().sweepInterval(null).build());
        PostgresLedger reader =
            PostgresLedger.open(reads, PostgresConfig.builder().sweepInterval(null).build())) {
      run.check(
          "opening the ledger finds no money at risk",
          ledger.warnings().isEmpty(),
          ledger.warnings().toString());
      BANK.open(ledger);
      Journal journal = new Journal();
      Teller teller = new Teller(ledger, journal, run, PATIENCE);
      try (Failovers failovers = new Failovers(run, trio, teller, journal, other)) {
        work(run, failovers, teller, journal, BANK.reconciliation(reader, run));
        failovers.report();
      }
      teller.report();
      run.verify(reader);
    }
  }

  private void work(
      Run run, Failovers failovers, Teller teller, Journal journal, Reconciliation reconciliation)
      throws IOException, SQLException, InterruptedException {
    Goal goal = run.goal(shortRound.size(), 24);
    Crowd crowd = new Crowd(run, BANK, CLIENTS);
    SplittableRandom random = run.random("order");
    boolean isShort = run.size(1, 0) == 1;
    while (!goal.reached(failovers.count())) {
      run.phase("posting while standbys take over");
      List<Failover> round = isShort ? shortRound : shuffled(random);
      FutureTask<Void> faults =
          new FutureTask<>(
              () -> {
                for (Failover kind : round) {
                  failovers.cause(kind);
                  run.progress(failovers.count(), goal.target(), "failovers");
                }
                return null;
              });
      Thread.ofPlatform().name("failovers").start(faults);
      crowd.work(teller, faults::isDone);
      join(faults);
      reconciliation.compare(journal);
      journal.clear();
    }
    run.require("failovers", failovers.count(), run.size(1, goal.target() == 0 ? 4 : 20));
  }

  private static List<Failover> shuffled(SplittableRandom random) {
    List<Failover> left = new ArrayList<>(List.of(Failover.values()));
    List<Failover> shuffled = new ArrayList<>();
    while (!left.isEmpty()) {
      shuffled.add(left.remove(random.nextInt(left.size())));
    }
    return shuffled;
  }

  private static void join(FutureTask<Void> faults) throws InterruptedException {
    try {
      faults.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a failover failed: " + e.getCause(), e.getCause());
    }
  }
}
