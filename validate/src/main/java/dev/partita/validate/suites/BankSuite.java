package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.UnavailableException;
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
import dev.partita.validate.faults.Cut;
import dev.partita.validate.faults.Sessions;
import dev.partita.validate.faults.TcpProxy;
import dev.partita.validate.faults.Trouble;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import javax.sql.DataSource;

/**
 * A bank at work while its connections to the database are killed again and again: cut around their
 * COMMITs by a proxy, ended and cancelled by the server.
 *
 * <p>In every second round the ledger has so little patience that callers are told {@code UNKNOWN}
 * and must find out for themselves; in the others it finds out for them.
 */
public final class BankSuite implements Suite {

  private static final String APPLICATION = "partita-validate-bank";
  private static final Bank BANK = new Bank(200, 20);
  private static final Duration TELLERS_PATIENCE = Duration.ofMinutes(5);
  private static final Duration HASTY = Duration.ofMillis(250);
  private static final int CLIENTS = 32;

  /** No more than so many times the transfers wanted are posted for want of killed connections. */
  private static final int OVERTIME = 5;

  private static final int OPENINGS_MAX = 20;

  private final Seam seam;

  /** The suite. */
  public BankSuite() {
    this(Seam.NONE);
  }

  BankSuite(Seam seam) {
    this.seam = seam;
  }

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
        TcpProxy proxy = TcpProxy.before(database.addresses(), run.random("proxy"));
        HikariDataSource pool =
            Database.pool(seam.source(database.application(APPLICATION, proxy.addresses())));
        HikariDataSource reads = Database.pool(database.application("partita-validate-reads"));
        PostgresLedger reader =
            PostgresLedger.open(
                reads,
                PostgresConfig.builder().schema(database.schema()).sweepInterval(null).build());
        Sessions sessions =
            new Sessions(
                database.application("partita-validate-faults"),
                APPLICATION,
                run.random("sessions"))) {
      seam.prepare(database);
      BANK.open(reader);
      Journal journal = new Journal();
      new Work(run, database, pool, proxy, sessions)
          .all(
              new Teller(reader, journal, run, TELLERS_PATIENCE),
              journal,
              BANK.reconciliation(reader, run));
      run.verify(reader);
    }
  }

  /** The work of one run. */
  private final class Work {
    private final Run run;
    private final Database database;
    private final DataSource pool;
    private final TcpProxy proxy;
    private final Sessions sessions;
    private final Goal goal;
    private final long killsWanted;
    private final Crowd crowd;
    private long faults;

    Work(Run run, Database database, DataSource pool, TcpProxy proxy, Sessions sessions) {
      this.run = run;
      this.database = database;
      this.pool = pool;
      this.proxy = proxy;
      this.sessions = sessions;
      this.goal = run.goal(800, 120_000);
      this.killsWanted = run.size(15, 600);
      this.crowd = new Crowd(run, BANK, CLIENTS);
    }

    void all(Teller teller, Journal journal, Reconciliation reconciliation)
        throws SQLException, InterruptedException {
      for (int round = 0; !run.violated() && (round < 2 || !isEnough()); round++) {
        round(teller, round % 2 == 1, round);
        seam.beforeComparing(database);
        reconciliation.compare(journal);
        journal.clear();
      }
      PostgresLedger expiring = open(PostgresConfig.builder());
      try {
        reconciliation.awaitExpiries(Duration.ofSeconds(run.size(10, 30)));
      } finally {
        expiring.close();
      }
      report(teller);
    }

    /** Tries again: the pool may not have noticed yet which of its connections are dead. */
    private PostgresLedger open(PostgresConfig.Builder config) throws InterruptedException {
      PostgresConfig built = seam.config(config.schema(database.schema())).build();
      for (int attempt = 1; ; attempt++) {
        try {
          return PostgresLedger.open(pool, built);
        } catch (UnavailableException e) {
          if (attempt == OPENINGS_MAX) {
            throw e;
          }
          Thread.sleep(HASTY);
        }
      }
    }

    /** So many transfers while connections are killed, after which everything is compared. */
    private void round(Teller teller, boolean hasty, int number) throws InterruptedException {
      run.phase("posting while connections are killed");
      PostgresConfig.Builder config = PostgresConfig.builder();
      if (hasty) {
        config.patience(HASTY).lanes(2);
      }
      long until = crowd.recorded() + run.size(400, 20_000);
      SplittableRandom dice = run.random("kinds " + number);
      try (PostgresLedger ledger = open(config);
          Trouble trouble =
              Trouble.begin(
                  run.random("moments " + number),
                  Duration.ofMillis(10),
                  Duration.ofMillis(run.size(110, 250)),
                  () -> hasty && dice.nextInt(4) == 0 ? outage() : kill(dice))) {
        crowd.work(
            teller.at(seam.ledger(ledger)),
            () -> {
              run.progress(crowd.recorded(), goal.target(), "transfers");
              return run.violated() || crowd.recorded() >= until;
            });
        faults += trouble.caused();
      }
      proxy.forgetPlan();
    }

    private int kill(SplittableRandom dice) throws SQLException {
      switch (dice.nextInt(9)) {
        case 0 -> proxy.cut(Cut.BEFORE_COMMIT);
        case 1, 2 -> proxy.cut(Cut.AT_COMMIT);
        case 3 -> proxy.cut(Cut.ANSWER_LOST);
        case 4, 5 -> proxy.cut(Cut.ANSWER_TORN);
        case 6 -> proxy.cut(Cut.ANYWHERE);
        case 7 -> {
          return sessions.cancelOne();
        }
        default -> {
          return sessions.terminateOne();
        }
      }
      return 1;
    }

    /** An answer is lost, and then there is no server for longer than the ledger's patience. */
    private int outage() throws InterruptedException {
      proxy.refuse(true);
      proxy.cut(Cut.ANSWER_LOST);
      Thread.sleep(HASTY.multipliedBy(2));
      proxy.refuse(false);
      return 1;
    }

    private long killed() {
      return proxy.cuts() + sessions.ended();
    }

    private boolean isEnough() {
      long recorded = crowd.recorded();
      return goal.reached(recorded)
          && (goal.target() == 0
              || killed() >= killsWanted
              || recorded >= OVERTIME * goal.target());
    }

    private void report(Teller teller) {
      teller.report();
      for (Cut cut : Cut.values()) {
        run.fact("connections cut " + cut.when(), proxy.cuts(cut));
        if (cut != Cut.ANYWHERE && proxy.unreadable() == 0) {
          run.require("connections cut " + cut.when(), proxy.cuts(cut), run.size(0, 30));
        }
      }
      if (proxy.unreadable() > 0) {
        run.fact(
            "cuts",
            "the connections are encrypted, so that COMMITs could not be found: all cuts were at"
                + " random moments");
      }
      run.fact("faults caused", faults);
      run.fact("connections refused", proxy.refused());
      run.fact("sessions ended", sessions.ended());
      run.fact("statements cancelled", sessions.cancelled());
      run.fact("connections killed", killed());
      run.require("connections killed", killed(), run.size(3, 500));
      run.require("transfers acknowledged", teller.recorded(), run.size(500, 100_000));
      run.require("transfers of unknown outcome", teller.unknown(), run.size(0, 100));
    }
  }
}
