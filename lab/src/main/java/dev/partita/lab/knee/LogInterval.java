package dev.partita.lab.knee;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/** How sure a figure is that was also taken of parts of the same window. */
final class LogInterval {

  private LogInterval() {}

  /**
   * The interval of Student's t on logarithms. Its centre is the figure for the whole and not the
   * mean of the parts: with few values in each part, or one part in ten that stands out, the mean
   * of the parts is far too good.
   *
   * @param whole the figure for the whole window
   * @param parts the same figure for parts of equal length, at least two; values below 1 count as 1
   * @param confidence between 0 and 1
   */
  static Interval around(double whole, List<Double> parts, double confidence) {
    int size = parts.size();
    double[] logs = parts.stream().mapToDouble(part -> Math.log(Math.max(1, part))).toArray();
    double mean = 0;
    for (double log : logs) {
      mean += log / size;
    }
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    double error = Math.sqrt(squares / (size - 1) / size);
    double factor = Math.exp(quantile(size - 1, confidence) * error);
    return new Interval(whole / factor, whole * factor);
  }

  /** The value that Student's t stays within, on either side of 0, with this probability. */
  static double quantile(int degreesOfFreedom, double confidence) {
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - confidence) / 2);
  }
}
