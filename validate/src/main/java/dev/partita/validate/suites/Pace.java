package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.validate.Run;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.MixedClient;
import dev.partita.validate.client.Teller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Clients that begin a request when it is due, whatever became of the one before, or one after
 * another without a pause. A time counts from when the request was due, so that a server which
 * stands still is seen by all who would have asked it meanwhile. For one thread.
 */
final class Pace {

  private static final double NANOS_PER_SECOND = 1e9;

  private final List<MixedClient> clients = new ArrayList<>();

  /** So many clients of a bank, each with a seed of its own. */
  Pace(Run run, Bank bank, int size) {
    for (int i = 0; i < size; i++) {
      clients.add(new MixedClient(bank, run.random("mixed client " + i)));
    }
  }

  /**
   * What came of a stretch of work.
   *
   * @param requests answered
   * @param seconds that it took
   * @param medianMicros half of the answers took no longer
   * @param slowMicros 99 % of the answers took no longer
   */
  record Stretch(long requests, double seconds, long medianMicros, long slowMicros) {

    private static Stretch of(double seconds, long[] nanos) {
      Arrays.sort(nanos);
      return new Stretch(nanos.length, seconds, micros(nanos, 50), micros(nanos, 99));
    }

    private static long micros(long[] sortedNanos, int percent) {
      if (sortedNanos.length == 0) {
        return 0;
      }
      int at = (int) ((sortedNanos.length - 1L) * percent / 100);
      return TimeUnit.NANOSECONDS.toMicros(sortedNanos[at]);
    }

    double perSecond() {
      return requests / seconds;
    }
  }

  /**
   * Works for so long.
   *
   * @param perSecond requests of all clients together; infinite for as many as they can
   */
  Stretch work(Ledger ledger, Teller teller, double perSecond, Duration length)
      throws InterruptedException {
    long begun = System.nanoTime();
    long end = begun + length.toNanos();
    long interval = (long) (NANOS_PER_SECOND * clients.size() / perSecond);
    List<Future<long[]>> working = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients.size(); i++) {
        MixedClient client = clients.get(i);
        long first = begun + interval * i / clients.size();
        working.add(threads.submit(() -> work(client, ledger, teller, first, interval, end)));
      }
    }
    double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
    long[] all = new long[0];
    for (Future<long[]> each : working) {
      try {
        long[] times = each.get();
        all = Arrays.copyOf(all, all.length + times.length);
        System.arraycopy(times, 0, all, all.length - times.length, times.length);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a client failed: " + e.getCause(), e.getCause());
      }
    }
    return Stretch.of(seconds, all);
  }

  private static long[] work(
      MixedClient client, Ledger ledger, Teller teller, long first, long interval, long end)
      throws InterruptedException {
    long[] times = new long[1_024];
    int count = 0;
    long due = first;
    while (due - end < 0) {
      long wait = due - System.nanoTime();
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      client.step(ledger, teller);
      long now = System.nanoTime();
      if (count == times.length) {
        times = Arrays.copyOf(times, 2 * count);
      }
      times[count++] = now - due;
      due = interval == 0 ? now : due + interval;
    }
    return Arrays.copyOf(times, count);
  }
}
