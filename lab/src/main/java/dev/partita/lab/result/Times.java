package dev.partita.lab.result;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

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
 * @param curve points of the distribution up to the longest, fewer than forty, for plots; may be
 *     empty where none is drawn
 */
public record Times(
    long count, double mean, long p50, long p90, long p99, long p999, long max, List<Point> curve) {

  /** Points on every halving of what is left above: as many as a drawing shows. */
  private static final int TICKS_PER_HALF_DISTANCE = 2;

  /** What lies beyond is told by its end alone. */
  private static final double PERCENTILE_MAX = 99.99;

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
      for (HistogramIterationValue each : histogram.percentiles(TICKS_PER_HALF_DISTANCE)) {
        if (each.getPercentileLevelIteratedTo() <= PERCENTILE_MAX) {
          curve.add(new Point(each.getPercentileLevelIteratedTo(), each.getValueIteratedTo()));
        }
      }
      curve.add(new Point(100, histogram.getMaxValue()));
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

  /** The same figures without the points between them. */
  public Times withoutCurve() {
    return new Times(count, mean, p50, p90, p99, p999, max, List.of());
  }
}
