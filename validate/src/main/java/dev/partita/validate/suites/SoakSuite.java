package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Reconciliation;
import dev.partita.validate.client.Teller;
import dev.partita.validate.faults.ProcessReading;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A little of everything through HTTP at half of what the server did without a pause, for as long
 * as wanted. Whether it goes on as it began: memory, threads, open files and times of the last
 * third are compared with those of the first.
 */
public final class SoakSuite implements Suite {

  private static final Bank BANK = new Bank(500, 20);
  private static final int CLIENTS = 32;
  private static final int STRETCHES_SMOKE = 6;
  private static final int STRETCHES = 30;
  private static final Duration TELLERS_PATIENCE = Duration.ofMinutes(1);
  private static final double SHARE_OF_CAPACITY = 0.5;

  private final Class<?> program;

  /**
   * The suite.
   *
   * @param program whose {@code serve} it is, in a Java virtual machine of its own
   */
  public SoakSuite(Class<?> program) {
    this.program = program;
  }

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public String summary() {
    return "all of the API at half of what the server can do, and whether anything grows";
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Database database = Database.make(run);
        ScratchDirectory directory = ScratchDirectory.make();
        HikariDataSource reads = Database.pool(database.application("partita-validate-reads"));
        PostgresLedger reader =
            PostgresLedger.open(
                reads,
                PostgresConfig.builder().schema(database.schema()).sweepInterval(null).build());
        ServedLedger served = new ServedLedger(run, program, database, directory.path())) {
      served.start();
      served.awaitReady();
      try (Ledger client = new PartitaClient(PartitaClientConfig.of(served.uri()))) {
        BANK.open(client);
        new Work(run, served, client, BANK.reconciliation(reader, run)).all();
      }
      run.verify(reader);
    }
  }

  /** The work of one run. */
  private static final class Work {
    private final Run run;
    private final ServedLedger served;
    private final Ledger client;
    private final Reconciliation reconciliation;
    private final Journal journal = new Journal();
    private final Teller teller;
    private final Pace pace;
    private long requests;

    Work(Run run, ServedLedger served, Ledger client, Reconciliation reconciliation) {
      this.run = run;
      this.served = served;
      this.client = client;
      this.reconciliation = reconciliation;
      this.teller = new Teller(client, journal, run, TELLERS_PATIENCE);
      this.pace = new Pace(run, BANK, CLIENTS);
    }

    void all() throws IOException, InterruptedException {
      double rate = SHARE_OF_CAPACITY * capacity();
      Duration whole = run.duration(Duration.ofSeconds(12), Duration.ofMinutes(5));
      int stretches = (int) run.size(STRETCHES_SMOKE, STRETCHES);
      Growth growth = new Growth();
      run.fact("requests offered a second", Math.round(rate));
      run.fact("wanted length", whole.toSeconds(), "s");
      for (int i = 0; i < stretches && !run.violated(); i++) {
        run.phase("soaking");
        run.progress(i, stretches, "stretches");
        Pace.Stretch stretch = work(rate, whole.dividedBy(stretches));
        growth.add(stretch, ProcessReading.of(served.pid()));
      }
      growth.judge(run);
      teller.report();
      run.fact("requests answered", requests);
      run.require("requests answered", requests, run.size(100, 10_000));
    }

    /** What it does without a pause once it is warm. */
    private double capacity() throws InterruptedException {
      run.phase("looking what the server can do");
      Duration length = Duration.ofSeconds(run.size(2, 20));
      work(Double.POSITIVE_INFINITY, length);
      double perSecond = work(Double.POSITIVE_INFINITY, length).perSecond();
      run.fact("requests a second without a pause", Math.round(perSecond));
      return perSecond;
    }

    /** Works, and compares what was told with what is stored. */
    private Pace.Stretch work(double perSecond, Duration length) throws InterruptedException {
      Pace.Stretch stretch = pace.work(client, teller, perSecond, length);
      requests += stretch.requests();
      reconciliation.compare(journal);
      journal.clear();
      return stretch;
    }
  }
}
