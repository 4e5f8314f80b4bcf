package dev.partita.validate.suites;

import dev.partita.AccountId;
import dev.partita.Balance;
import dev.partita.LedgerException;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.TransferRequest;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Caller;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Accounts that have no record yet, and many who want to be the first. */
final class Newcomers {

  private static final String OPENED = "an account that many open at once is opened once";
  private static final String AT_ONCE = "whoever was told that an account is open can post on it";
  private static final String WITHIN = "first debits of a fresh account stay within its limit";
  private static final int THREADS = 12;
  private static final int ACCOUNTS = 3;
  private static final int DEBIT_CENTS = 30;
  private static final int OVERDRAFT_CENTS = 100;

  private final Arena arena;
  private int opened;

  Newcomers(Arena arena) {
    this.arena = arena;
  }

  /** Accounts opened so far. */
  int opened() {
    return opened;
  }

  /** Several threads open the same accounts, in orders of their own, and post from them. */
  void open() throws InterruptedException {
    String prefix = "opened:" + opened + ":";
    opened += ACCOUNTS;
    List<NewAccount> wanted = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      NewAccount account =
          NewAccount.of(prefix + i, Bank.EUR.code().value()).limits(Limits.NOT_NEGATIVE);
      arena.reconciliation().limit(account.id(), Limits.NOT_NEGATIVE);
      wanted.add(account);
    }
    Queue<AccountId> created = new ConcurrentLinkedQueue<>();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    Arena.together(
        THREADS,
        thread -> {
          SplittableRandom dice = arena.run().random(prefix + "thread " + thread);
          List<NewAccount> mine = new ArrayList<>(wanted);
          Collections.shuffle(mine, new Random(dice.nextLong()));
          await(start);
          try {
            for (OpenResult each : arena.node(thread).open(mine)) {
              if (each.status() == OpenResult.Status.CREATED) {
                created.add(each.id());
              } else if (each.status() != OpenResult.Status.EXISTS) {
                arena.run().violation(OPENED, each.toString());
              }
            }
          } catch (LedgerException e) {
            arena.run().violation(OPENED, e.toString());
            return;
          }
          for (NewAccount each : mine) {
            post(thread, Arena.direct(dice, Bank.WORLD, each.id(), 10));
            post(thread, Arena.direct(dice, each.id(), Bank.FEES, 5));
          }
        });
    for (NewAccount each : wanted) {
      int times = Collections.frequency(created, each.id());
      arena.run().check(OPENED, times == 1, each.id() + " was created " + times + " times");
    }
  }

  private void post(int thread, TransferRequest request) throws SQLException, InterruptedException {
    arena.run().check(AT_ONCE, attempt(thread, request), request.toString());
  }

  /** By a lane or in a transaction of its own; whether it is recorded. */
  private boolean attempt(int thread, TransferRequest request)
      throws SQLException, InterruptedException {
    return thread % 3 == 2
        ? arena.caller().transact(List.of(request), Caller.PLAIN) == Caller.End.RECORDED
        : arena.recorded(thread, request);
  }

  /** Many threads debit an account that has no record and may be overdrawn a little. */
  void debit() throws InterruptedException {
    AccountId fresh = AccountId.of("fresh:" + opened++);
    Limits limits = new Limits(Balance.ofMinor(-OVERDRAFT_CENTS), null);
    arena.reconciliation().limit(fresh, limits);
    arena
        .node(0)
        .open(List.of(NewAccount.of(fresh.value(), Bank.EUR.code().value()).limits(limits)));
    AtomicInteger recorded = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    Arena.together(
        THREADS,
        thread -> {
          SplittableRandom dice = arena.run().random(fresh + " thread " + thread);
          AccountId credit = arena.bank().merchant(thread % arena.bank().merchants());
          await(start);
          if (attempt(thread, Arena.direct(dice, fresh, credit, DEBIT_CENTS))) {
            recorded.incrementAndGet();
          }
        });
    arena
        .run()
        .check(
            WITHIN,
            recorded.get() == OVERDRAFT_CENTS / DEBIT_CENTS,
            recorded + " debits of " + DEBIT_CENTS + " are recorded on " + fresh);
  }

  private static void await(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await();
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
