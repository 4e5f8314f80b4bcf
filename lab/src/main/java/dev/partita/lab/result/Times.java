package dev.partita.lab.result;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A distribution of times, in microseconds, exact to three digits.
 *
 * @param count how many were measured; a percentile needs many more than it leaves out
 * @param mean of them
 * @param p50 half were not longer
 * @param p90 nine in ten were not longer
 * @param p99 99 in 100
 * @param p999 999 in 1,000
 * @param max the longest
 * @param curve points of the whole distribution, for plots
 */
public record Times(
    long count, double mean, long p50, long p90, long p99, long p999, long max, List<Point> curve) {

  /** Points on every halving of what is left above. */
  private static final int TICKS_PER_HALF_DISTANCE = 4;

  /**
   * One point.
   *
   * @param percentile from 0 to 100
   * @param micros this part of all times was not longer
   */
  public record Point(double percentile, long micros) {}

  /** Takes a copy. */
  public Times {
    curve = List.copyOf(curve);
  }

  /** Of a histogram of microseconds. */
  public static Times of(Histogram histogram) {
    List<Point> curve = new ArrayList<>();
    if (histogram.getTotalCount() > 0) {
      histogram
          .percentiles(TICKS_PER_HALF_DISTANCE)
          .forEach(
              each ->
                  curve.add(
                      new Point(each.getPercentileLevelIteratedTo(), each.getValueIteratedTo())));
    }
    return new Times(
        histogram.getTotalCount(),
        histogram.getMean(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(90),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getMaxValue(),
        curve);
  }
}
