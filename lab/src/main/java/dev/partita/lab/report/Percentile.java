package dev.partita.lab.report;

import dev.partita.lab.result.Times;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A percentile, and when there are times enough to state it.
 *
 * @param title at the head of its column
 * @param value in microseconds
 * @param oneIn one in so many times lies beyond it
 */
record Percentile(String title, ToLongFunction<Times> value, int oneIn) {

  static final Percentile P50 = new Percentile("p50", Times::p50, 2);
  static final Percentile P90 = new Percentile("p90", Times::p90, 10);
  static final Percentile P99 = new Percentile("p99", Times::p99, 100);
  static final Percentile P999 = new Percentile("p99.9", Times::p999, 1_000);

  static final List<Percentile> ALL = List.of(P50, P90, P99, P999);

  /** Times beyond it from which on it is certain enough. */
  private static final int BEYOND = 100;

  /** Times beyond it below which it would mislead. */
  private static final int BEYOND_AT_LEAST = 10;

  boolean certain(long samples) {
    return samples >= (long) BEYOND * oneIn;
  }

  boolean withheld(long samples) {
    return samples < (long) BEYOND_AT_LEAST * oneIn;
  }
}
