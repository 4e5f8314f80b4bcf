package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
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
import dev.partita.validate.faults.Sessions;
import dev.partita.validate.faults.Trouble;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;

/** A bank at work while its connections to the database are killed again and again. */
public final class BankSuite implements Suite {

  private static final String APPLICATION = "partita-validate-bank";
  private static final Bank BANK = new Bank(200, 20);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int CLIENTS = 32;

  /** Transfers of one round, after which everything is compared and forgotten. */
  private static final long ROUND = 50_000;

  @Override
  public String name() {
    return "bank";
  }

  @Override
  public String summary() {
    return "a bank at work while its connections are killed";
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Database database = Database.make(run);
        HikariDataSource pool = Database.pool(database.application(APPLICATION));
        HikariDataSource reads = Database.pool(database.application("partita-validate-reads"));
        PostgresLedger ledger =
            PostgresLedger.open(pool, PostgresConfig.builder().schema(database.schema()).build());
        PostgresLedger reader =
            PostgresLedger.open(
                reads,
                PostgresConfig.builder().schema(database.schema()).sweepInterval(null).build())) {
      BANK.open(ledger);
      work(run, database, ledger, BANK.reconciliation(reader, run));
      run.verify(reader);
    }
  }

  private static void work(Run run, Database database, Ledger ledger, Reconciliation reconciliation)
      throws SQLException, InterruptedException {
    Goal goal = run.goal(2_000, 120_000);
    Journal journal = new Journal();
    Teller teller = new Teller(ledger, journal, run, PATIENCE);
    Crowd crowd = new Crowd(run, BANK, CLIENTS);
    long killed = 0;
    try (Sessions sessions =
        new Sessions(
            database.application("partita-validate-faults"), APPLICATION, run.random("faults"))) {
      while (!goal.reached(crowd.recorded())) {
        long until = crowd.recorded() + ROUND;
        run.phase("posting while connections are killed");
        SplittableRandom dice = run.random("kinds " + until);
        try (Trouble trouble =
            Trouble.begin(
                run.random("moments " + until),
                Duration.ofMillis(20),
                Duration.ofMillis(200),
                () -> dice.nextInt(4) == 0 ? sessions.cancelOne() : sessions.terminateOne())) {
          crowd.work(
              teller,
              () -> {
                run.progress(crowd.recorded(), goal.target(), "transfers");
                return goal.reached(crowd.recorded()) || crowd.recorded() >= until;
              });
          killed += trouble.caused();
        }
        reconciliation.compare(journal);
        journal.clear();
      }
    }
    teller.report();
    run.fact("sessions ended or cancelled", killed);
  }
}
