package dev.partita.lab.knee;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where response times cross their limit, from all valid probes: they rise with the rate, and
 * nothing else is assumed. Rates and times are taken as logarithms. Never answers with a rate
 * outside of those probed.
 */
final class Fit {

  private static final int DRAWS = 2_000;
  private static final double CONFIDENCE = 0.95;
  private static final int REPETITIONS_MIN = 10;

  private final double limit;
  private final double[] rates;
  private final double[][] repetitions;

  private Fit(double limit, double[] rates, double[][] repetitions) {
    this.limit = limit;
    this.rates = rates;
    this.repetitions = repetitions;
  }

  /**
   * The estimate.
   *
   * @param probes of any verdict; those that say nothing about response times are left out
   * @param bracket the rates that were held to pass and to fail
   * @param seed for the interval
   * @return null if the fitted times do not cross the limit
   */
  static Knee.@Nullable Estimate of(
      List<Probe> probes, double limitMicros, Interval bracket, long seed) {
    Map<Double, List<Double>> byRate =
        probes.stream()
            .filter(Fit::counts)
            .collect(
                Collectors.groupingBy(
                    Probe::rate,
                    TreeMap::new,
                    Collectors.mapping(
                        probe -> Math.log(probe.facts().p99Micros()), Collectors.toList())));
    Fit fit =
        new Fit(
            Math.log(limitMicros),
            byRate.keySet().stream().mapToDouble(Math::log).toArray(),
            byRate.values().stream().map(Fit::array).toArray(double[][]::new));
    double crossing = fit.crossing(Fit::mean);
    if (Double.isInfinite(crossing)) {
      return null;
    }
    boolean enough =
        repetitions(byRate, bracket.low()) >= REPETITIONS_MIN
            && repetitions(byRate, bracket.high()) >= REPETITIONS_MIN;
    return new Knee.Estimate(Math.exp(crossing), enough ? fit.interval(seed) : null);
  }

  /** After an overload things are different, and without answers there is no response time. */
  private static boolean counts(Probe probe) {
    return probe.judgement().verdict() != Verdict.INVALID
        && probe.stage() != Stage.RECOVER
        && probe.facts().p99Micros() > 0;
  }

  private static int repetitions(Map<Double, List<Double>> byRate, double rate) {
    return byRate.getOrDefault(rate, List.of()).size();
  }

  private @Nullable Interval interval(long seed) {
    Interval logs =
        Bootstrap.interval(
            DRAWS, CONFIDENCE, seed, random -> crossing(values -> Bootstrap.mean(values, random)));
    // An end that lies outside of the rates probed is not known.
    return Double.isInfinite(logs.low()) || Double.isInfinite(logs.high())
        ? null
        : new Interval(Math.exp(logs.low()), Math.exp(logs.high()));
  }

  private double crossing(ToDoubleFunction<double[]> mean) {
    double[] values = new double[rates.length];
    double[] weights = new double[rates.length];
    for (int i = 0; i < rates.length; i++) {
      values[i] = mean.applyAsDouble(repetitions[i]);
      weights[i] = repetitions[i].length;
    }
    return Isotonic.crossing(rates, Isotonic.rising(values, weights), limit);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
