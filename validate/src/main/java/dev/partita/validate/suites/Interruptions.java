package dev.partita.validate.suites;

import dev.partita.validate.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Measures for how long nothing is answered: the longest time in which a count of answers stands
 * still. Looks every millisecond, on a thread of its own. Thread-safe.
 */
final class Interruptions implements AutoCloseable {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier answers;
  private final Map<Failover, List<Long>> millis = new EnumMap<>(Failover.class);
  private final Thread thread = Thread.ofPlatform().name("interruptions").unstarted(this::look);
  private long seen;
  private long changedNanos = System.nanoTime();
  private long longestNanos;
  private volatile boolean closed;

  private Interruptions(LongSupplier answers) {
    this.answers = answers;
  }

  /** Begins to look at a count that only rises. */
  static Interruptions of(LongSupplier answers) {
    Interruptions interruptions = new Interruptions(answers);
    interruptions.thread.start();
    return interruptions;
  }

  private void look() {
    while (!closed) {
      count();
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private synchronized void count() {
    long now = answers.getAsLong();
    if (now != seen) {
      long nanos = System.nanoTime();
      longestNanos = Math.max(longestNanos, nanos - changedNanos);
      seen = now;
      changedNanos = nanos;
    }
  }

  /** Forgets what was before. */
  synchronized void begin() {
    count();
    longestNanos = 0;
  }

  /** Notes the longest since {@link #begin}, after answers have begun to come again. */
  synchronized void end(Failover kind) {
    count();
    millis
        .computeIfAbsent(kind, key -> new ArrayList<>())
        .add(TimeUnit.NANOSECONDS.toMillis(longestNanos));
  }

  /** How often something was noted. */
  synchronized long noted() {
    return millis.values().stream().mapToLong(List::size).sum();
  }

  /** Notes counts, medians and longest. */
  synchronized void report(Run run) {
    millis.forEach(
        (kind, each) -> {
          List<Long> sorted = new ArrayList<>(each);
          Collections.sort(sorted);
          run.fact("failovers, " + kind.text(), sorted.size());
          run.fact(
              "interruption, " + kind.text() + ", median", sorted.get(sorted.size() / 2), "ms");
          run.fact("interruption, " + kind.text() + ", longest", sorted.getLast(), "ms");
        });
  }

  @Override
  public void close() {
    closed = true;
  }
}
