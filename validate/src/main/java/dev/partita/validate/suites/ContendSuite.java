package dev.partita.validate.suites;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Goal;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Caller;
import dev.partita.validate.client.Caller.End;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Teller;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Everybody is after the same accounts: opposing transfers, groups in any order, callers' own
 * transactions beside group commit from two nodes, one that sits on the hot account, accounts that
 * many open at once.
 */
public final class ContendSuite implements Suite {

  private static final String NODES = "partita-validate-contend";
  private static final Bank BANK = new Bank(40, 4);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int LANE_CLIENTS = 16;
  private static final int CALLERS = 8;

  /** Transfers of one round, after which everything is compared and forgotten. */
  private static final long ROUND = 20_000;

  private final Tampering tampering;

  /** The suite. */
  public ContendSuite() {
    this(Tampering.NONE);
  }

  ContendSuite(Tampering tampering) {
    this.tampering = tampering;
  }

  @Override
  public String name() {
    return "contend";
  }

  @Override
  public String summary() {
    return "everybody after the same accounts, callers' transactions among them";
  }

  @Override
  public void run(Run run) throws IOException, SQLException, InterruptedException {
    try (Database database = Database.make(run);
        HikariDataSource one = pool(database);
        HikariDataSource two = pool(database);
        HikariDataSource callers = pool(database);
        HikariDataSource reads = Database.pool(database.application("partita-validate-reads"));
        PostgresLedger first = PostgresLedger.open(one, config(database).build());
        PostgresLedger second = PostgresLedger.open(two, config(database).build());
        PostgresLedger reader =
            PostgresLedger.open(reads, config(database).sweepInterval(null).build())) {
      tampering.prepare(database);
      BANK.open(reader);
      String table = database.schema() + ".orders";
      Caller.createTable(database.owner(), table);
      Journal journal = new Journal();
      List<Ledger> nodes = List.of(tampering.node(first), tampering.node(second));
      List<Teller> tellers = new ArrayList<>();
      for (Ledger node : nodes) {
        tellers.add(
            new Teller(node, journal, run, PATIENCE, failure -> Caller.noteFailure(run, failure)));
      }
      Caller caller = new Caller(callers, first, table, journal, run);
      Arena arena =
          new Arena(run, BANK, journal, nodes, tellers, caller, BANK.reconciliation(reader, run));
      work(arena, new Sitter(arena, callers, first));
      caller.compare(database.schema());
      run.verify(reader);
    }
  }

  private HikariDataSource pool(Database database) {
    return Database.pool(tampering.source(database.application(NODES)));
  }

  private static PostgresConfig.Builder config(Database database) {
    return PostgresConfig.builder().schema(database.schema());
  }

  private static void work(Arena arena, Sitter sitter) throws SQLException, InterruptedException {
    Run run = arena.run();
    Goal goal = run.goal(8_000, 60_000);
    Newcomers newcomers = new Newcomers(arena);
    fund(arena);
    sitter.sit(Duration.ofMillis(run.size(300, 3_000)));
    for (int round = 0; round == 0 || !goal.reached(arena.recorded()); round++) {
      once(arena, goal, round);
      several(arena, round);
      run.phase("opening accounts and debiting them first");
      for (int i = 0; i < run.size(2, 10); i++) {
        newcomers.open();
        newcomers.debit();
      }
      arena.reconciliation().compare(arena.journal());
      arena.journal().clear();
    }
    report(arena, newcomers);
  }

  private static void fund(Arena arena) throws InterruptedException {
    SplittableRandom dice = arena.run().random("funds");
    for (int i = 0; i < BANK.customers(); i++) {
      arena.teller(i).post(Arena.direct(dice, Bank.WORLD, BANK.customer(i), 100));
    }
  }

  /** Everybody posts once a transaction: nobody may meet a deadlock. */
  private static void once(Arena arena, Goal goal, int round) throws InterruptedException {
    Run run = arena.run();
    run.phase("posting once a transaction");
    long until = arena.recorded() + ROUND;
    BooleanSupplier enough =
        () -> {
          long recorded = arena.recorded();
          run.progress(recorded, goal.target(), "transfers");
          return goal.reached(recorded) || recorded >= until;
        };
    Arena.together(
        LANE_CLIENTS + CALLERS,
        thread -> {
          SplittableRandom dice = run.random("once " + round + " " + thread);
          while (!enough.getAsBoolean()) {
            PostItem item = arena.next(dice);
            if (thread < LANE_CLIENTS) {
              arena.teller(thread).post(item);
            } else {
              arena.caller().transact(List.of(item), Arena.plan(dice));
            }
          }
        });
  }

  /** Callers post several times a transaction; lanes must not feel it, callers may conflict. */
  private static void several(Arena arena, int round) throws InterruptedException {
    Run run = arena.run();
    run.phase("posting several times a transaction");
    long each = run.size(2, 12);
    AtomicInteger atWork = new AtomicInteger(CALLERS);
    AtomicLong done = new AtomicLong();
    Arena.together(
        LANE_CLIENTS + CALLERS,
        thread -> {
          SplittableRandom dice = run.random("several " + round + " " + thread);
          if (thread < LANE_CLIENTS) {
            while (atWork.get() > 0) {
              arena.teller(thread).post(arena.next(dice));
            }
            return;
          }
          try {
            for (int i = 0; i < each; i++) {
              List<PostItem> items = new ArrayList<>();
              for (int n = 2 + dice.nextInt(2); n > 0; n--) {
                items.add(arena.next(dice));
              }
              boolean order = dice.nextBoolean();
              arena
                  .caller()
                  .transact(
                      items, new Caller.Plan(Connection.TRANSACTION_READ_COMMITTED, order, true));
              run.progress(done.incrementAndGet(), each * CALLERS, "transactions");
            }
          } finally {
            atWork.decrementAndGet();
          }
        });
  }

  private static void report(Arena arena, Newcomers newcomers) {
    Run run = arena.run();
    arena.tellers().forEach(each -> Caller.noteAnswers(run, each.recorded() + each.refused()));
    Caller caller = arena.caller();
    run.fact("transfers acknowledged by lanes", arena.recorded() - caller.recorded());
    run.fact("transfers refused by lanes", sum(arena, false));
    run.fact("transfers not posted by lanes", sum(arena, true));
    run.fact("transfers in callers' transactions", caller.recorded());
    for (End end : End.values()) {
      String name = "callers' transactions " + end.name().toLowerCase(Locale.ROOT);
      run.fact(name.replace('_', ' '), caller.count(end));
    }
    run.fact("conflicts that were deadlocks", caller.deadlocks());
    run.fact("accounts opened in races or debited first", newcomers.opened());
    run.require("transactions rolled back", caller.count(End.ROLLED_BACK), run.size(1, 100));
    run.require("transactions refused", caller.count(End.REFUSED), run.size(1, 100));
    run.require("posts refused for isolation", caller.count(End.ISOLATION), run.size(2, 100));
    run.require("conflicts", caller.count(End.CONFLICT), run.size(0, 5));
  }

  private static long sum(Arena arena, boolean notPosted) {
    return arena.tellers().stream()
        .mapToLong(teller -> notPosted ? teller.notPosted() : teller.refused())
        .sum();
  }
}
