package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.TransferStatus;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.postgres.PostgresSchema;
import dev.partita.validate.Database;
import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Reconciliation;
import dev.partita.validate.client.Teller;
import dev.partita.validate.suites.Crashes.Kill;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The server's processes and the program that uses it are killed at random moments under load,
 * again and again; after each time everything is compared with what the clients wrote down.
 */
public final class CrashSuite implements Suite {

  /** The bank whose clients are at work. */
  static final Bank BANK = new Bank(100, 10);

  private static final String RESOLVED = "every unknown outcome is resolved by repeating it";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Nothing is at work while it is compared, so what is not seen at once is missing. */
  private static final Duration JOURNAL_PATIENCE = Duration.ofSeconds(5);

  /** Longest time under load before a kill. */
  private static final int LOAD_MILLIS_MAX = 800;

  /** Longest time after the kill of one process, within which the server recovers. */
  private static final int RECOVERY_MILLIS_MAX = 400;

  /** What goes wrong on purpose, to show that the suite sees it. */
  @FunctionalInterface
  interface Tampering {
    /** Changes what the clients wrote down, or what is stored. */
    void tamper(Journal journal, DataSource owner) throws SQLException;
  }

  private final String synchronousCommit;
  private final List<String> settings;
  private final Tampering tampering;

  /** The suite as it is meant. */
  public CrashSuite() {
    // Checkpoints often, so that many a kill falls into one.
    this("on", List.of("checkpoint_timeout=30s"), (journal, owner) -> {});
  }

  /**
   * The suite on a ledger that may lose things.
   *
   * @param settings of the server, each {@code name=value}
   * @param tampering done before each comparison
   */
  CrashSuite(String synchronousCommit, List<String> settings, Tampering tampering) {
    this.synchronousCommit = synchronousCommit;
    this.settings = settings;
    this.tampering = tampering;
  }

  @Override
  public String name() {
    return "crash";
  }

  @Override
  public String summary() {
    return "server and program killed at random moments, again and again";
  }

  @Override
  public boolean needsOwnServer() {
    return true;
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    run.phase("making a database");
    try (ScratchDirectory scratch = Database.directory(run)) {
      CrashedProgram.Arguments arguments =
          new CrashedProgram.Arguments(
              scratch.path().resolve("server"),
              scratch.path().resolve("journal"),
              run.seed(),
              synchronousCommit,
              settings);
      try (Crashes crashes = new Crashes(run, scratch.path(), arguments)) {
        new Rounds(run, crashes, prepare(run, arguments)).all();
      } finally {
        if (run.leavesEvidence("the database is left: " + scratch.path())) {
          scratch.keep();
        }
      }
    }
  }

  /** How to reach the server, wherever it listens. */
  private record Logins(Login owner, Login application) {

    DataSource owner(int port) {
      return source(owner, port);
    }

    DataSource application(int port) {
      return source(application, port);
    }

    private static DataSource source(Login login, int port) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(login.jdbcUrl());
      source.setPortNumbers(new int[] {port});
      source.setUser(login.user());
      source.setPassword(login.password());
      return source;
    }
  }

  private static Logins prepare(Run run, CrashedProgram.Arguments arguments) {
    try (EmbeddedPostgres server = EmbeddedPostgres.start(arguments.server())) {
      run.fact("server", "PostgreSQL " + server.serverVersion());
      Logins logins = new Logins(server.owner(), server.application());
      PostgresSchema schema =
          new PostgresSchema(logins.owner(server.port()), PostgresSchema.DEFAULT_NAME);
      schema.migrate();
      schema.grant(logins.application().user());
      try (PostgresLedger ledger =
          PostgresLedger.open(logins.application(server.port()), PostgresConfig.defaults())) {
        BANK.open(ledger);
      }
      return logins;
    }
  }

  /** One kill after another. For one thread. */
  private final class Rounds {
    private final Run run;
    private final Crashes crashes;
    private final Logins logins;
    private final SplittableRandom random;
    private final Journal journal = new Journal();
    private final List<Kill> deck = new ArrayList<>();
    private @Nullable Reconciliation reconciliation;
    private long acknowledged;
    private long refused;
    private long open;
    private long openStored;

    Rounds(Run run, Crashes crashes, Logins logins) {
      this.run = run;
      this.crashes = crashes;
      this.logins = logins;
      this.random = run.random("rounds");
    }

    void all() throws IOException, SQLException, InterruptedException {
      Goal goal = run.goal(2, 52);
      crashes.awaitReady(journal);
      while (!goal.reached(crashes.serverKills()) && !run.violated()) {
        run.phase("killing under load");
        run.progress(crashes.serverKills(), goal.target(), "kills");
        killOnce();
        try (Access access = new Access(logins.application(crashes.port()))) {
          settle(access.ledger);
        }
      }
      try (Access access = new Access(logins.application(crashes.port()))) {
        run.verify(access.ledger);
      }
      crashes.report();
      run.fact("transfers acknowledged", acknowledged);
      run.fact("transfers refused", refused);
      run.fact("transfers without an answer at a kill", open);
      run.fact("of these found recorded when repeated", openStored);
      run.require("kills of the server", crashes.serverKills(), run.size(1, 50));
      run.require("acknowledged transfers", acknowledged, run.size(100, 20_000));
    }

    /** Kills under load, and waits until clients can be answered again. */
    private void killOnce() throws IOException, InterruptedException {
      crashes.work();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(LOAD_MILLIS_MAX));
      Kill kill = nextKill();
      if (kill != Kill.PROCESS && random.nextInt(4) == 0) {
        crashes.kill(Kill.PROCESS, journal);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(RECOVERY_MILLIS_MAX));
      }
      crashes.kill(kill, journal);
      if (kill != Kill.PROCESS) {
        crashes.awaitReady(journal);
      }
      if (crashes.isWorking()) {
        crashes.awaitAnswers();
        crashes.pause();
        crashes.read(journal);
      }
    }

    /** Each kind comes up once before any comes up again. */
    private Kill nextKill() {
      if (deck.isEmpty()) {
        deck.addAll(List.of(Kill.values()));
      }
      return deck.remove(random.nextInt(deck.size()));
    }

    /** Repeats what is open and compares everything, while no client is at work. */
    private void settle(Ledger ledger) throws SQLException, InterruptedException {
      repeatOpen(ledger);
      for (Journal.Line line : journal.lines()) {
        acknowledged += line.state() == Journal.State.RECORDED ? 1 : 0;
        refused += line.state() == Journal.State.REFUSED ? 1 : 0;
      }
      tampering.tamper(journal, logins.owner(crashes.port()));
      if (reconciliation == null) {
        reconciliation = BANK.reconciliation(ledger, run);
        reconciliation.patience(JOURNAL_PATIENCE);
      }
      reconciliation.through(ledger);
      reconciliation.compare(journal);
      journal.clear();
    }

    private void repeatOpen(Ledger ledger) throws InterruptedException {
      Teller teller = new Teller(ledger, journal, run, PATIENCE);
      for (PostItem item : openItems()) {
        Teller.Result result = teller.post(item);
        open += item.transferCount();
        run.check(
            RESOLVED,
            result.answer() == Teller.Answer.ANSWERED,
            item.id() + ": " + result.answer());
        openStored +=
            result.results().stream()
                .filter(each -> each.status() == TransferStatus.EXISTS)
                .count();
      }
    }

    /** What was sent and has no answer yet. */
    private List<PostItem> openItems() {
      List<PostItem> items = new ArrayList<>();
      Set<UUID> groups = new HashSet<>();
      for (Journal.Line line : journal.open()) {
        GroupRef group = line.group();
        if (group == null) {
          // An attempt was made: if the next one is not posted, that one may still be.
          line.unknown();
          items.add(line.request());
        } else if (groups.add(group.id())) {
          addGroup(items, group);
        }
      }
      return items;
    }

    private void addGroup(List<PostItem> items, GroupRef group) {
      List<Journal.Line> members =
          journal.lines().stream()
              .filter(line -> line.group() != null && line.group().id().equals(group.id()))
              .sorted(Comparator.comparingInt(line -> Objects.requireNonNull(line.group()).index()))
              .toList();
      if (members.size() == group.size()) {
        members.forEach(Journal.Line::unknown);
        items.add(
            new GroupRequest(group.id(), members.stream().map(Journal.Line::request).toList()));
      } else {
        // A group is sent when all its members are written down, and not before.
        members.forEach(Journal.Line::notPosted);
      }
    }
  }

  /** A ledger on the server that runs now, which does nothing of its own accord. */
  private static final class Access implements AutoCloseable {
    private final HikariDataSource pool;
    private final PostgresLedger ledger;

    Access(DataSource source) {
      pool = Database.pool(source);
      ledger = PostgresLedger.open(pool, PostgresConfig.builder().sweepInterval(null).build());
    }

    @Override
    public void close() {
      ledger.close();
      pool.close();
    }
  }
}
