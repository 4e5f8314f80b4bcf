package dev.partita.postgres;

import java.sql.SQLException;
import java.time.Duration;

/**
 * How much one statement of long work takes on: as much as takes about a second. One that runs into
 * its time-out is tried again with less. Not safe for use by several threads.
 */
final class Pace {

  private static final double TARGET_SECONDS = 1;
  private static final double GROW_MAX = 2;
  private static final double SHRINK_MAX = 0.1;
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
    double seconds = Math.max(took.toNanos() / 1e9, 1e-6);
    double factor = Math.clamp(TARGET_SECONDS / seconds, SHRINK_MAX, GROW_MAX);
    size = Math.clamp((long) (size * factor), min, max);
  }
}
