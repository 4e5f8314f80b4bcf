package dev.partita.validate.suites;

import dev.partita.AccountId;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Run;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Caller;
import dev.partita.validate.client.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** A caller whose transaction sits on the hot account, while others post beside it. */
final class Sitter {

  private static final String OTHERS = "who sits on one account does not hold up the others";
  private static final String AT_ONCE = "a post refused for its isolation waits for nobody";
  private static final String AFTERWARDS = "transfers of the account sat on go on afterwards";
  private static final int PROBES = 4;
  private static final int WAITERS = 4;
  private static final int MEDIAN_TIMES_MAX = 5;
  private static final long MEDIAN_MORE_MICROS = 20_000;

  private final Arena arena;
  private final Run run;
  private final DataSource source;
  private final PostgresLedger ledger;
  private final long waitSeconds;

  Sitter(Arena arena, DataSource source, PostgresLedger ledger) {
    this.arena = arena;
    this.run = arena.run();
    this.source = source;
    this.ledger = ledger;
    this.waitSeconds = run.size(10, 30);
  }

  /** Measures without, sits, and measures meanwhile. */
  void sit(Duration window) throws SQLException, InterruptedException {
    run.phase("sitting on the hot account");
    List<Long> before = measure("before", window);
    SplittableRandom dice = run.random("sitter");
    TransferRequest request = Arena.direct(dice, customer(0), Bank.FEES, 1);
    Journal.Line line = arena.journal().sent(request, null);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      TransferResult result = ledger.inTransaction(connection).post(request);
      List<Future<Boolean>> waiting = new ArrayList<>();
      for (int i = 1; i <= WAITERS; i++) {
        TransferRequest behind = Arena.direct(dice, customer(i), Bank.FEES, 1);
        waiting.add(threads.submit(() -> arena.recorded(0, behind)));
      }
      refusedAtOnce(threads, dice, Connection.TRANSACTION_REPEATABLE_READ);
      refusedAtOnce(threads, dice, Connection.TRANSACTION_SERIALIZABLE);
      judge(before, measure("meanwhile", window));
      boolean waited = waiting.stream().noneMatch(Future::isDone);
      connection.commit();
      connection.setAutoCommit(true);
      if (result.status().isRecorded()) {
        line.record(result.orThrow());
      } else {
        line.refuse(result.status());
      }
      run.check(AFTERWARDS, waited, "a transfer passed a lock");
      for (Future<Boolean> each : waiting) {
        run.check(AFTERWARDS, join(each), "one was not recorded");
      }
    }
  }

  private void refusedAtOnce(ExecutorService threads, SplittableRandom dice, int isolation)
      throws InterruptedException {
    Caller.Plan plan = new Caller.Plan(isolation, true, true);
    TransferRequest request = Arena.direct(dice, customer(5), Bank.FEES, 1);
    Future<Caller.End> answer =
        threads.submit(() -> arena.caller().transact(List.of(request), plan));
    try {
      Caller.End end = answer.get(waitSeconds, TimeUnit.SECONDS);
      run.check(AT_ONCE, end == Caller.End.ISOLATION, "it was " + end);
    } catch (TimeoutException e) {
      run.violation(AT_ONCE, "it waited longer than " + waitSeconds + " s");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Times of transfers between accounts that nobody else uses now, in order of size. */
  private List<Long> measure(String when, Duration window) throws InterruptedException {
    List<Long> micros = Collections.synchronizedList(new ArrayList<>());
    long until = System.nanoTime() + window.toNanos();
    Arena.together(
        PROBES,
        thread -> {
          SplittableRandom dice = run.random("probe " + when + thread);
          for (int i = thread; System.nanoTime() - until < 0; i++) {
            int first = i % 2;
            TransferRequest request =
                Arena.direct(
                    dice,
                    arena.bank().customer(2 * thread + first),
                    arena.bank().customer(2 * thread + 1 - first),
                    1);
            long began = System.nanoTime();
            arena.teller(0).post(request);
            micros.add((System.nanoTime() - began) / 1_000);
          }
        });
    List<Long> sorted = new ArrayList<>(micros);
    Collections.sort(sorted);
    run.fact("other accounts " + when + ", median", at(sorted, 50), "µs");
    run.fact("other accounts " + when + ", 99th percentile", at(sorted, 99), "µs");
    return sorted;
  }

  private void judge(List<Long> before, List<Long> meanwhile) {
    long atMost = MEDIAN_TIMES_MAX * at(before, 50) + MEDIAN_MORE_MICROS;
    // A short run shows that they go on; how fast is for a longer one to say.
    boolean holds = run.size(0, 1) == 0 ? !meanwhile.isEmpty() : at(meanwhile, 50) <= atMost;
    run.check(OTHERS, holds, "median " + at(meanwhile, 50) + " µs, at most " + atMost);
  }

  private static long at(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? Long.MAX_VALUE : sorted.get((sorted.size() - 1) * percent / 100);
  }

  private AccountId customer(int fromTheEnd) {
    return arena.bank().customer(arena.bank().customers() - 1 - fromTheEnd);
  }

  private static boolean join(Future<Boolean> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
