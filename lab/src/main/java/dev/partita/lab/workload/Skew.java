package dev.partita.lab.workload;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Source;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How uneven the draws of a run were. Shares are of touches: each transfer touches two accounts.
 *
 * @param transfers how many were counted
 * @param hottest share of the account that was touched most, 0 to 0.5
 * @param topTen share of the ten that were
 * @param topPercent share of the hundredth part of all accounts, rounded up, that was
 * @param effectiveAccounts so many accounts touched alike would meet as often as these do: 1 / Σ p²
 */
public record Skew(
    long transfers, double hottest, double topTen, double topPercent, double effectiveAccounts) {

  /** Share of transfers that touch the hottest account: none does so twice. */
  public double transfersOnHottest() {
    return 2 * hottest;
  }

  /** Of what a source draws next. */
  public static Skew of(Source source, int accounts, int operations) {
    Counter counter = new Counter(accounts);
    for (int i = 0; i < operations; i++) {
      counter.count(source.next());
    }
    return counter.skew();
  }

  /** Counts every operation that ends in a run. Thread-safe. */
  public static final class Counter implements Observer {

    private final AtomicLongArray touches;

    /** For accounts from 0 up to this number. */
    public Counter(int accounts) {
      this.touches = new AtomicLongArray(accounts);
    }

    @Override
    public void ended(Operation operation, Answer answer) {
      count(operation);
    }

    private void count(Operation operation) {
      for (Movement each : operation.movements()) {
        touches.incrementAndGet(each.from());
        touches.incrementAndGet(each.to());
      }
    }

    /** Of what was counted until now; all zero if that is nothing. */
    public Skew skew() {
      long[] counts = new long[touches.length()];
      Arrays.setAll(counts, touches::get);
      Arrays.sort(counts);
      double sum = Arrays.stream(counts).sum();
      if (sum == 0) {
        return new Skew(0, 0, 0, 0, 0);
      }
      double squares = Arrays.stream(counts).mapToDouble(each -> each / sum * (each / sum)).sum();
      int percent = (counts.length + 99) / 100;
      return new Skew(
          Math.round(sum / 2),
          top(counts, 1) / sum,
          top(counts, 10) / sum,
          top(counts, percent) / sum,
          1 / squares);
    }

    private static double top(long[] ascending, int places) {
      return Arrays.stream(ascending, Math.max(0, ascending.length - places), ascending.length)
          .sum();
    }
  }
}
