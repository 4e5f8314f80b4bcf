package dev.partita.lab.knee;

import dev.partita.lab.load.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Facts of probes that went in a certain way. The limit is meant to be 20 ms. */
final class Scripted {

  private static final int OFFERED = 10_000;
  private static final int PARTS = 10;

  private Scripted() {}

  static ProbeFacts passing(double rate) {
    return steady(rate, 10_000);
  }

  static ProbeFacts failing(double rate) {
    return steady(rate, 40_000);
  }

  /** Every part of the window had the same percentile. */
  static ProbeFacts steady(double rate, double p99Micros) {
    return facts(rate, Map.of(), p99Micros, Collections.nCopies(PARTS, p99Micros));
  }

  /** The limit lies within the noise. */
  static ProbeFacts ambiguous(double rate, boolean passing) {
    List<Double> parts = List.of(5e3, 80e3, 5e3, 80e3, 5e3, 80e3, 5e3, 80e3, 5e3, 80e3);
    return facts(rate, Map.of(), passing ? 19_000 : 21_000, parts);
  }

  static ProbeFacts dead(double rate) {
    return facts(rate, Map.of(Outcome.TRANSIENT, (long) OFFERED), 0, List.of());
  }

  static ProbeFacts unfit(double rate) {
    return ProbeFacts.nothing(rate, "the generator was late");
  }

  private static ProbeFacts facts(
      double rate, Map<Outcome, Long> failures, double p99Micros, List<Double> parts) {
    long failed = failures.values().stream().mapToLong(Long::longValue).sum();
    return new ProbeFacts(
        rate, OFFERED, OFFERED - failed, failures, p99Micros, parts, List.of(), 1_000, null);
  }
}
