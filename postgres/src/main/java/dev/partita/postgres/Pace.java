package dev.partita.postgres;

import java.sql.SQLException;
import java.time.Duration;

/**
 * How much one statement of long work takes on: as much as takes about a second. One that runs into
 * its time-out is tried again with less. Not safe for use by several threads.
 */
final class Pace {

  private static final long TARGET_NANOS = 1_000_000_000;
  private static final long GROW_MAX = 2;
  private static final long SHRINK_MAX = 10;
  private static final String CANCELLED = "57014";

  private final long min;
  private final long max;
  private long size;

  Pace(long start, long min, long max) {
    this.size = start;
    this.min = min;
    this.max = max;
  }

  /** A step of work. */
  @FunctionalInterface
  interface Step<T> {
    T run(long size) throws SQLException;
  }

  /** Takes a step. */
  <T> T run(Step<T> step) throws SQLException {
    while (true) {
      long start = System.nanoTime();
      try {
        T result = step.run(size);
        adapt(Duration.ofNanos(System.nanoTime() - start));
        return result;
      } catch (SQLException e) {
        if (!CANCELLED.equals(e.getSQLState()) || size == min) {
          throw e;
        }
        size = Math.max(min, size / 8);
      }
    }
  }

  private void adapt(Duration took) {
    long fitting = size * TARGET_NANOS / Math.max(took.toNanos(), 1_000);
    long next = Math.clamp(fitting, size / SHRINK_MAX, size * GROW_MAX);
    size = Math.clamp(next, min, max);
  }
}
