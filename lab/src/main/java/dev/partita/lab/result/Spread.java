package dev.partita.lab.result;

import java.util.Arrays;
import java.util.Collection;

/**
 * Figures of one kind, one from each block. All three are NaN if there is no figure.
 *
 * @param median of an even number, the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 */
public record Spread(double median, double min, double max) {

  /** Of these; those that are not numbers are left out. */
  public static Spread of(Collection<Double> figures) {
    double[] sorted =
        figures.stream().mapToDouble(f -> f).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN);
    }
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(median, sorted[0], Arrays.stream(sorted).max().orElseThrow());
  }
}
