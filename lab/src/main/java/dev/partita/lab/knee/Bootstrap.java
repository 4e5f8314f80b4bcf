package dev.partita.lab.knee;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** How sure a figure is, from drawing the measurements again. */
final class Bootstrap {

  private Bootstrap() {}

  /**
   * The range that holds the middle part of a figure's redrawn values.
   *
   * @param draws how many values, 1 or more
   * @param confidence between 0 and 1: how large the middle part is
   * @param figure computed from measurements drawn with the given source of chance
   */
  static Interval interval(
      int draws, double confidence, long seed, ToDoubleFunction<SplittableRandom> figure) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[draws];
    for (int i = 0; i < draws; i++) {
      values[i] = figure.applyAsDouble(random);
    }
    Arrays.sort(values);
    int cut = (int) Math.floor((1 - confidence) / 2 * draws);
    return new Interval(values[cut], values[draws - 1 - cut]);
  }

  /** The mean of as many values drawn from these, each as likely as the others every time. */
  static double mean(double[] values, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[random.nextInt(values.length)];
    }
    return sum / values.length;
  }
}
