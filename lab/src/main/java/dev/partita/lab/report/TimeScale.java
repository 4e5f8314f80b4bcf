package dev.partita.lab.report;

import java.util.Collection;

/** The unit in which a table or a line shows times. */
enum TimeScale {
  MICROS("µs", 1),
  MILLIS("ms", 1e3),
  SECONDS("s", 1e6);

  private final String unit;
  private final double micros;

  TimeScale(String unit, double micros) {
    this.unit = unit;
    this.micros = micros;
  }

  /** One for all of these: milliseconds, unless all are much shorter or longer. */
  static TimeScale forAll(Collection<Double> micros) {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (double each : micros) {
      if (Double.isFinite(each)) {
        least = Math.min(least, each);
        most = Math.max(most, each);
      }
    }
    if (most < 1e3) {
      return MICROS;
    }
    return least >= 1e6 ? SECONDS : MILLIS;
  }

  String unit() {
    return unit;
  }

  double of(double valueMicros) {
    return valueMicros / micros;
  }

  /** One time by itself, with the unit that suits it. */
  static String words(double micros) {
    if (!Double.isFinite(micros)) {
      return Numbers.NONE;
    }
    TimeScale scale = micros < 999.5 ? MICROS : micros < 999_500 ? MILLIS : SECONDS;
    double value = scale.of(micros);
    return (scale == MICROS ? Numbers.fixed(value, 0) : Numbers.figure(value)) + " " + scale.unit;
  }
}
