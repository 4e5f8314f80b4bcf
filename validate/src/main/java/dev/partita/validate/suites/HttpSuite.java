package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.client.PartitaClient;
import dev.partita.client.PartitaClientConfig;
import dev.partita.embedded.ScratchDirectory;
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
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A bank at work through HTTP while the server is killed at random moments and started again; its
 * database goes on, so what a killed server had sent there is committed without it.
 *
 * <p>In every second round the clients have so little patience that callers are told {@code
 * UNKNOWN} and must find out for themselves; in the others the clients wait until the server is
 * back and repeat by themselves.
 */
public final class HttpSuite implements Suite {

  private static final Bank BANK = new Bank(200, 20);
  private static final int CLIENTS = 32;
  private static final int KILLS_A_ROUND_SMOKE = 2;
  private static final int KILLS_A_ROUND = 10;
  private static final Duration TELLERS_PATIENCE = Duration.ofMinutes(5);
  private static final Duration PATIENT = Duration.ofMinutes(2);
  private static final Duration HASTY = Duration.ofMillis(250);
  private static final int MOMENT_MILLIS_MAX = 1_500;

  private final Class<?> program;
  private final Seam seam;

  /**
   * The suite.
   *
   * @param program whose {@code serve} is killed, in a Java virtual machine of its own
   */
  public HttpSuite(Class<?> program) {
    this(program, Seam.NONE);
  }

  HttpSuite(Class<?> program, Seam seam) {
    this.program = program;
    this.seam = seam;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String summary() {
    return "a bank at work through HTTP while the server is killed and started again";
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
      try (Ledger client = client(served, false)) {
        BANK.open(client);
      }
      new Work(run, database, served, reader).all();
      run.verify(reader);
    }
  }

  private static Ledger client(ServedLedger served, boolean hasty) {
    PartitaClientConfig.Builder config = PartitaClientConfig.builder(served.uri());
    if (hasty) {
      config.connectTimeout(HASTY).requestTimeout(HASTY.multipliedBy(4)).patience(HASTY);
    } else {
      config.patience(PATIENT);
    }
    return new PartitaClient(config.build());
  }

  /** The work of one run. */
  private final class Work {
    private final Run run;
    private final Database database;
    private final ServedLedger served;
    private final Ledger reader;
    private final Goal goal;
    private final Crowd crowd;
    private final Journal journal = new Journal();
    private final Teller teller;
    private final Reconciliation reconciliation;
    private long kills;
    private long killsWhileStarting;

    Work(Run run, Database database, ServedLedger served, Ledger reader) {
      this.run = run;
      this.database = database;
      this.served = served;
      this.reader = reader;
      this.goal = run.goal(2 * KILLS_A_ROUND_SMOKE, 60);
      this.crowd = new Crowd(run, BANK, CLIENTS);
      this.teller = new Teller(reader, journal, run, TELLERS_PATIENCE);
      this.reconciliation = BANK.reconciliation(reader, run);
    }

    void all() throws SQLException, IOException, InterruptedException {
      for (int round = 0; !run.violated() && (round < 2 || !goal.reached(kills)); round++) {
        round(round % 2 == 1, round);
        seam.beforeComparing(database);
        compare(round % 2 == 1);
      }
      reconciliation.awaitExpiries(Duration.ofSeconds(run.size(10, 30)));
      report();
    }

    /** In one round as the database has it, in the next as the server tells it. */
    private void compare(boolean throughHttp) {
      try (Ledger client = client(served, false)) {
        reconciliation.through(throughHttp ? client : reader);
        reconciliation.compare(journal);
        reconciliation.through(reader);
      }
      journal.clear();
    }

    /** So many kills while the bank works, after which everything is compared. */
    private void round(boolean hasty, int number) throws IOException, InterruptedException {
      run.phase("posting while the server is killed");
      SplittableRandom random = run.random("kills " + number);
      long until = crowd.recorded() + run.size(200, 2_000);
      try (Ledger client = client(served, hasty);
          ExecutorService killing = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<?> killer =
            killing.submit(
                () -> {
                  killAgainAndAgain(random);
                  return null;
                });
        crowd.work(
            teller.at(seam.ledger(client)),
            () -> killer.isDone() && (run.violated() || crowd.recorded() >= until));
        killer.get();
      } catch (ExecutionException e) {
        throw new IOException("the server could not be killed or started", e.getCause());
      }
    }

    private void killAgainAndAgain(SplittableRandom random)
        throws IOException, InterruptedException {
      long wanted = run.size(KILLS_A_ROUND_SMOKE, KILLS_A_ROUND);
      for (int i = 0; i < wanted; i++) {
        run.progress(kills, goal.target(), "kills");
        moment(random);
        served.kill();
        kills++;
        served.start();
        if (random.nextInt(5) == 0) {
          moment(random);
          served.kill();
          killsWhileStarting++;
          served.start();
        }
        served.awaitReady();
      }
    }

    private void moment(SplittableRandom random) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(50 + random.nextInt((int) run.size(400, MOMENT_MILLIS_MAX)));
    }

    private void report() {
      teller.report();
      served.report();
      run.fact("kills of the server at work", kills);
      run.fact("kills of the server while it started", killsWhileStarting);
      run.require("kills of the server at work", kills, run.size(3, 50));
      run.require("transfers acknowledged", teller.recorded(), run.size(300, 20_000));
      run.require("transfers of unknown outcome", teller.unknown(), run.size(0, 50));
    }
  }
}
