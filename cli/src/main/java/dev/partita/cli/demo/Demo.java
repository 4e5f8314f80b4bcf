package dev.partita.cli.demo;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Balance;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.cli.demo.Plan.Beside;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/** A marketplace under load, and the check that every cent is where it must be. */
public final class Demo {

  private static final long LATENCY_MAX_MICROS = 600_000_000L;
  private static final long EXPIRY_PATIENCE_NANOS = 60_000_000_000L;
  private static final long EXPIRY_PAUSE_MILLIS = 100;
  private static final int PAGE = 1_000;
  private static final int MISMATCHES_MAX = 20;

  private final Ledger ledger;
  private final Plan plan;
  private final int callers;
  private final Expectation expectation;
  private final ConcurrentHistogram latencyMicros = new ConcurrentHistogram(LATENCY_MAX_MICROS, 3);

  /** A demo on a ledger. */
  public Demo(Ledger ledger, Plan plan, int callers) {
    this.ledger = ledger;
    this.plan = plan;
    this.callers = callers;
    this.expectation = new Expectation(plan);
  }

  /**
   * What was done and what was found.
   *
   * @param run number of this run in its ledger
   * @param feeAccount the marketplace's own account
   * @param transfers records made by the callers
   * @param elapsedNanos from the first call to the last answer
   * @param latencyMicros from call to answer, of the sales
   * @param counts how often each thing was done, by name
   * @param feeCents what the fee account must have
   * @param mismatches what is not as it must be; empty if all is
   */
  public record Result(
      int run,
      AccountId feeAccount,
      long transfers,
      long elapsedNanos,
      ConcurrentHistogram latencyMicros,
      Map<String, Long> counts,
      long feeCents,
      List<String> mismatches) {}

  /**
   * Runs it.
   *
   * @throws InterruptedException if interrupted; calls in flight have been waited for
   */
  public Result run(Progress progress) throws InterruptedException {
    Market market = Market.begin(ledger);
    market.open(ledger, plan, expectation);
    long begunNanos = System.nanoTime();
    long transfers = makeSales(market, progress);
    long elapsedNanos = System.nanoTime() - begunNanos;
    awaitExpiries(market);
    List<String> mismatches = new ArrayList<>();
    if (transfers != expectation.transfers) {
      mismatches.add("recorded transfers: " + transfers + ", must be " + expectation.transfers);
    }
    compare(market, mismatches);
    return new Result(
        market.run(),
        market.fees(),
        transfers,
        elapsedNanos,
        latencyMicros,
        counts(),
        expectation.feeCents,
        mismatches);
  }

  private long makeSales(Market market, Progress progress) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    AtomicLong recorded = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    List<Future<?>> futures = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < callers; i++) {
        Caller caller = new Caller(ledger, market, plan, expectation, latencyMicros);
        futures.add(
            executor.submit(
                () -> {
                  for (long number = next.getAndIncrement();
                      number < plan.sales() && !stopped.get();
                      number = next.getAndIncrement()) {
                    try {
                      progress.report(
                          recorded.addAndGet(caller.make(number)), expectation.transfers);
                    } catch (RuntimeException | InterruptedException e) {
                      stopped.set(true);
                      throw e;
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        await(future, stopped);
      }
    } finally {
      stopped.set(true);
    }
    return recorded.get();
  }

  private static void await(Future<?> future, AtomicBoolean stopped) throws InterruptedException {
    try {
      future.get();
    } catch (InterruptedException e) {
      stopped.set(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** The engine records expiries by itself while it runs; asking for them does no harm. */
  private void awaitExpiries(Market market) throws InterruptedException {
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - begunNanos < EXPIRY_PATIENCE_NANOS) {
      ledger.expireDue(PAGE);
      if (!hasOpenHold(market)) {
        return;
      }
      Thread.sleep(EXPIRY_PAUSE_MILLIS);
    }
  }

  private boolean hasOpenHold(Market market) {
    HoldQuery query = new HoldQuery(null, Market.EUR.code(), null, null, PAGE);
    while (true) {
      Page<Hold> page = ledger.holds(query);
      for (Hold hold : page.items()) {
        if (hold.transfer().debit().value().startsWith(market.prefix())) {
          return true;
        }
      }
      if (page.next() == null) {
        return false;
      }
      query = query.from(page.next());
    }
  }

  private void compare(Market market, List<String> mismatches) {
    Map<AccountId, Long> expected = new HashMap<>();
    expected.put(market.fees(), expectation.feeCents);
    expected.put(market.external(), expectation.fundedCents);
    for (int buyer = 0; buyer < plan.buyers(); buyer++) {
      expected.put(market.buyer(buyer), expectation.buyerCents[buyer]);
    }
    for (int seller = 0; seller < plan.sellers(); seller++) {
      expected.put(market.seller(seller), expectation.sellerCents[seller]);
    }
    AccountQuery query = AccountQuery.prefix(market.prefix(), PAGE);
    while (true) {
      Page<Account> page = ledger.accounts(query);
      for (Account account : page.items()) {
        compare(account.balance(), expected.remove(account.id()), mismatches);
      }
      if (page.next() == null) {
        break;
      }
      query = query.from(page.next());
    }
    expected.forEach((id, cents) -> add(mismatches, id + " is missing, must have " + cents));
  }

  private static void compare(AccountBalance found, @Nullable Long cents, List<String> mismatches) {
    if (cents == null) {
      add(mismatches, found.account() + " is not an account of this run");
      return;
    }
    Balance expected = Balance.ofMinor(cents);
    if (!found.balance().equals(expected)) {
      add(
          mismatches,
          found.account()
              + " has "
              + found.balance().format(Market.EUR)
              + ", must have "
              + expected.format(Market.EUR));
    }
    if (!found.held().isZero() || !found.expected().isZero()) {
      add(mismatches, found.account() + " still has an open hold");
    }
  }

  private static void add(List<String> mismatches, String mismatch) {
    if (mismatches.size() < MISMATCHES_MAX) {
      mismatches.add(mismatch);
    }
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("sales", plan.sales());
    counts.put("refunds", expectation.count(Beside.REFUND));
    counts.put("holdsCaptured", expectation.count(Beside.HOLD_CAPTURED));
    counts.put("holdsCapturedInPart", expectation.count(Beside.HOLD_CAPTURED_IN_PART));
    counts.put("holdsVoided", expectation.count(Beside.HOLD_VOIDED));
    counts.put("holdsExpired", expectation.count(Beside.HOLD_EXPIRED));
    counts.put("purchasesRefused", expectation.count(Beside.REFUSED));
    return counts;
  }
}
