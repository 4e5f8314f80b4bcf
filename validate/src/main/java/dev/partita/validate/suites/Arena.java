package dev.partita.validate.suites;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.TransferRequest;
import dev.partita.validate.Run;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Caller;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Reconciliation;
import dev.partita.validate.client.Teller;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Where contenders meet: two nodes that commit groups, and callers' own transactions, all on one
 * ledger.
 *
 * @param nodes as clients see them
 * @param tellers one for each node
 * @param caller posts in transactions of its own
 */
record Arena(
    Run run,
    Bank bank,
    Journal journal,
    List<Ledger> nodes,
    List<Teller> tellers,
    Caller caller,
    Reconciliation reconciliation) {

  private static final int PAIRS = 6;
  private static final int REPEATS = 10;

  /** What one of several threads does. */
  interface Work {
    void run(int thread) throws SQLException, InterruptedException;
  }

  /** Runs it on so many threads at once, and waits for all. */
  static void together(int threads, Work work) throws InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            executor.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        try {
          each.get();
        } catch (ExecutionException e) {
          throw new IllegalStateException("a contender failed: " + e.getCause(), e.getCause());
        }
      }
    }
  }

  Ledger node(int number) {
    return nodes.get(number % nodes.size());
  }

  Teller teller(int number) {
    return tellers.get(number % tellers.size());
  }

  /** Transfers recorded so far. */
  long recorded() {
    return caller.recorded() + tellers.stream().mapToLong(Teller::recorded).sum();
  }

  /** Whether a lane records it; again if its accounts stayed locked for too long. */
  boolean recorded(int number, PostItem item) throws InterruptedException {
    Teller.Result result = teller(number).post(item);
    for (int i = 0; i < REPEATS && result.answer() == Teller.Answer.NOT_POSTED; i++) {
      result = teller(number).post(item);
    }
    return result.recorded();
  }

  /** Something that many others are after at the same moment. */
  PostItem next(SplittableRandom dice) {
    int kind = dice.nextInt(100);
    if (kind < 45) {
      int pair = 2 * dice.nextInt(PAIRS);
      int first = dice.nextInt(2);
      return direct(dice, bank.customer(pair + first), bank.customer(pair + 1 - first));
    }
    if (kind < 65) {
      return around(dice);
    }
    AccountId customer = bank.customer(dice.nextInt(bank.customers()));
    return kind < 85 ? direct(dice, customer, Bank.FEES) : direct(dice, Bank.WORLD, customer);
  }

  /** A group that goes through many accounts in an order of its own. */
  private GroupRequest around(SplittableRandom dice) {
    int size = 5 + dice.nextInt(6);
    List<Integer> order = new ArrayList<>();
    while (order.size() <= size) {
      int customer = dice.nextInt(bank.customers());
      if (!order.contains(customer)) {
        order.add(customer);
      }
    }
    List<TransferRequest> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      members.add(direct(dice, bank.customer(order.get(i)), bank.customer(order.get(i + 1)), 1));
    }
    return new GroupRequest(id(dice), members);
  }

  private static TransferRequest direct(SplittableRandom dice, AccountId debit, AccountId credit) {
    return direct(dice, debit, credit, 1 + dice.nextInt(30));
  }

  static TransferRequest direct(
      SplittableRandom dice, AccountId debit, AccountId credit, long cents) {
    return TransferRequest.direct(id(dice), Bank.EUR.code(), debit, credit, Amount.ofMinor(cents));
  }

  private static UUID id(SplittableRandom dice) {
    return Ids.timeOrdered(Instant.now(), dice);
  }

  /** How a caller runs its transaction: most as most do, a few with another isolation. */
  static Caller.Plan plan(SplittableRandom dice) {
    int isolation =
        switch (dice.nextInt(10)) {
          case 0 -> Connection.TRANSACTION_REPEATABLE_READ;
          case 1 -> Connection.TRANSACTION_SERIALIZABLE;
          default -> Connection.TRANSACTION_READ_COMMITTED;
        };
    return new Caller.Plan(isolation, dice.nextBoolean(), dice.nextInt(4) != 0);
  }
}
