package dev.partita.lab.knee;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Makes the probes of one search, in order. Those that were made before are not made again: a
 * search asks the same questions when it gets the same answers. For one thread.
 */
final class Trials {

  /** A probe whose client was not fit is made again at most this often. */
  private static final int RETRIES = 2;

  /** Rates come back from text, so that their last digits may differ. */
  private static final double SAME = 1e-9;

  private final Criterion criterion;
  private final Prober prober;
  private final Consumer<Probe> listener;
  private final List<Probe> earlier;
  private final SplittableRandom seeds;
  private final List<Probe> made = new ArrayList<>();

  Trials(
      Criterion criterion,
      Prober prober,
      Consumer<Probe> listener,
      List<Probe> earlier,
      SplittableRandom seeds) {
    this.criterion = criterion;
    this.prober = prober;
    this.listener = listener;
    this.earlier = List.copyOf(earlier);
    this.seeds = seeds;
  }

  /** What measures one rate. */
  @FunctionalInterface
  private interface Measurement {
    ProbeFacts take(long seed) throws InterruptedException;
  }

  /** A probe that is not invalid. */
  Probe valid(Stage stage, double rate) throws InterruptedException, AbortedException {
    return valid(stage, rate, seed -> prober.probe(rate, seed));
  }

  /** Such a probe right after too much. */
  Probe recovery(double overload, double rate) throws InterruptedException, AbortedException {
    return valid(Stage.RECOVER, rate, seed -> prober.recover(overload, rate, seed));
  }

  /** All probes until now. */
  List<Probe> made() {
    return List.copyOf(made);
  }

  private Probe valid(Stage stage, double rate, Measurement measurement)
      throws InterruptedException, AbortedException {
    Probe probe = one(stage, rate, measurement);
    for (int i = 0; i < RETRIES && probe.judgement().verdict() == Verdict.INVALID; i++) {
      probe = one(stage, rate, measurement);
    }
    if (probe.judgement().verdict() == Verdict.INVALID) {
      throw new AbortedException(
          "not fit to measure %.1f/s: %s".formatted(rate, probe.judgement().reason()));
    }
    return probe;
  }

  private Probe one(Stage stage, double rate, Measurement measurement) throws InterruptedException {
    int index = made.size();
    long seed = seeds.nextLong();
    boolean isNew = index >= earlier.size();
    ProbeFacts facts =
        isNew ? measurement.take(seed) : same(earlier.get(index), stage, rate, seed).facts();
    Probe probe = new Probe(index + 1, stage, rate, seed, facts, criterion.judge(facts));
    made.add(probe);
    if (isNew) {
      listener.accept(probe);
    }
    return probe;
  }

  private static Probe same(Probe probe, Stage stage, double rate, long seed) {
    boolean same =
        probe.stage() == stage && Math.abs(probe.rate() / rate - 1) < SAME && probe.seed() == seed;
    if (!same) {
      throw new IllegalArgumentException(
          "probe %d is of another search: %s at %s with seed %d instead of %s at %s with seed %d"
              .formatted(
                  probe.number(), probe.stage(), probe.rate(), probe.seed(), stage, rate, seed));
    }
    return probe;
  }
}
