package dev.partita.lab.knee;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate at which a target keeps a promise. First a rate that passes and one
 * that fails are found, then brought closer together; both are repeated in blocks of random order,
 * because the two were chosen for what they did once; after that the target must come back from too
 * much. A rate is never held to fail because the client was too slow. For one thread, one search.
 */
public final class KneeSearch {

  private static final double FACTOR = 1.25;
  private static final double LARGER_FACTOR = 1.5;

  /** After so many steps in one direction they become larger. */
  private static final int STEPS = 2;

  /** Probes of one rate until a vote is taken on it. */
  private static final int VOTES = 3;

  /** The share of repetitions that have to agree. */
  private static final double AGREEMENT = 0.8;

  /** A rate that is well below the knee, as a share of the rate that passes. */
  private static final double WELL_BELOW = 0.8;

  private final Plan plan;
  private final Criterion criterion;
  private final Trials trials;
  private final Random order;
  private final long fitSeed;
  private final List<String> remarks = new ArrayList<>();
  private double lo;
  private double hi = Double.POSITIVE_INFINITY;
  private Knee.Recovery recovery = Knee.Recovery.UNKNOWN;

  private KneeSearch(
      Plan plan,
      Criterion criterion,
      Prober prober,
      Consumer<Probe> listener,
      List<Probe> earlier) {
    this.plan = plan;
    this.criterion = criterion;
    SplittableRandom root = new SplittableRandom(plan.seed());
    this.order = Random.from(root.split());
    this.fitSeed = root.nextLong();
    this.trials = new Trials(criterion, prober, listener, earlier, root.split());
  }

  /**
   * Searches, which takes as long as all its probes.
   *
   * @param listener told of each new probe before the next one begins
   * @param earlier probes of the same search, with the same plan and promise, that was interrupted:
   *     they are judged again and not made again. Invalid ones at the end may be left out, so that
   *     they are made again.
   * @throws IllegalArgumentException if those are of another search
   */
  public static Knee run(
      Plan plan, Criterion criterion, Prober prober, Consumer<Probe> listener, List<Probe> earlier)
      throws InterruptedException {
    Knee knee = new KneeSearch(plan, criterion, prober, listener, earlier).search();
    if (earlier.size() > knee.probes().size()) {
      throw new IllegalArgumentException(
          "%d earlier probes are of another search: this one ends after %d"
              .formatted(earlier.size(), knee.probes().size()));
    }
    return knee;
  }

  private Knee search() throws InterruptedException {
    try {
      Knee.Kind kind = bracket();
      if (kind == Knee.Kind.KNEE) {
        bisect();
        kind = confirmed() ? Knee.Kind.KNEE : Knee.Kind.UNSTABLE;
        recover();
      }
      return knee(kind);
    } catch (AbortedException e) {
      remarks.add(String.valueOf(e.getMessage()));
      return knee(Knee.Kind.ABORTED);
    }
  }

  /** Goes up or down from the first rate until one rate has passed and one has failed. */
  private Knee.Kind bracket() throws InterruptedException, AbortedException {
    double rate = inRange(plan.start());
    for (int steps = 0; ; steps++) {
      boolean passes = passes(Stage.BRACKET, rate, VOTES);
      if (lo > 0 && Double.isFinite(hi)) {
        return Knee.Kind.KNEE;
      }
      if (passes && rate >= plan.ceiling()) {
        remarks.add("the generator is not trusted with more");
        return Knee.Kind.LOWER_BOUND;
      }
      if (!passes && rate <= plan.floor()) {
        return Knee.Kind.NO_PASSING_RATE;
      }
      double factor = steps < STEPS ? FACTOR : LARGER_FACTOR;
      rate = inRange(passes ? rate * factor : rate / factor);
    }
  }

  private double inRange(double rate) {
    return Math.clamp(rate, plan.floor(), plan.ceiling());
  }

  private void bisect() throws InterruptedException, AbortedException {
    int before = trials.made().size();
    while (isWide()) {
      int left = plan.bisectProbes() - (trials.made().size() - before);
      if (left <= 0) {
        remarks.add("no probes left to bring the rates closer together");
        return;
      }
      passes(Stage.BISECT, Math.sqrt(lo * hi), Math.min(VOTES, left));
    }
  }

  private boolean isWide() {
    return hi / lo > 1 + plan.tolerance();
  }

  /** Decides about a rate, and remembers it as a bound. */
  private boolean passes(Stage stage, double rate, int probesMax)
      throws InterruptedException, AbortedException {
    int passing = 0;
    for (int i = 0; i < probesMax; i++) {
      Judgement judgement = trials.valid(stage, rate).judgement();
      if (judgement.verdict() != Verdict.AMBIGUOUS) {
        return bound(rate, judgement.verdict() == Verdict.PASS);
      }
      passing += judgement.passing() ? 1 : 0;
    }
    // As many on one side as on the other promise nothing.
    return bound(rate, 2 * passing > probesMax);
  }

  private boolean bound(double rate, boolean passes) {
    if (passes) {
      lo = rate;
    } else {
      hi = rate;
    }
    return passes;
  }

  /** Repeats both bounds, and once more with those moved that did not hold. */
  private boolean confirmed() throws InterruptedException, AbortedException {
    repeat();
    boolean loHolds = holds(lo, true);
    boolean hiHolds = holds(hi, false);
    if (loHolds && hiHolds) {
      return true;
    }
    remarks.add("did not hold: %s, %s; moved apart".formatted(votes(lo), votes(hi)));
    if (!loHolds) {
      lo = Math.max(plan.floor(), lo / (1 + plan.tolerance()));
    }
    if (!hiHolds) {
      hi = Math.min(plan.ceiling(), hi * (1 + plan.tolerance()));
    }
    repeat();
    if (holds(lo, true) && holds(hi, false)) {
      return true;
    }
    remarks.add("nor did these: %s, %s".formatted(votes(lo), votes(hi)));
    return false;
  }

  /** Blocks of both bounds and a rate well below, which is there for the fit and has no vote. */
  private void repeat() throws InterruptedException, AbortedException {
    double below = WELL_BELOW * lo;
    for (int block = 0; block < plan.blocks(); block++) {
      List<Double> rates = new ArrayList<>(List.of(lo, hi, below));
      Collections.shuffle(rates, order);
      for (double rate : rates) {
        trials.valid(Stage.CONFIRM, rate);
      }
    }
    if (!holds(below, true)) {
      remarks.add("well below the knee, %s".formatted(votes(below)));
    }
  }

  private boolean holds(double rate, boolean passing) {
    Votes votes = votes(rate);
    return (passing ? votes.passed() : votes.of() - votes.passed()) >= AGREEMENT * votes.of();
  }

  /**
   * Of all blocks: a bound that stays where it is keeps its votes. A probe within the noise counts
   * by its measured value, because the blocks are its repetitions.
   */
  private Votes votes(double rate) {
    List<Probe> repetitions =
        trials.made().stream()
            .filter(probe -> probe.stage() == Stage.CONFIRM && probe.rate() == rate)
            .filter(probe -> probe.judgement().verdict() != Verdict.INVALID)
            .toList();
    long passed = repetitions.stream().filter(probe -> probe.judgement().passing()).count();
    return new Votes(rate, passed, repetitions.size());
  }

  /** How often a rate passed when it was repeated. */
  private record Votes(double rate, long passed, int of) {

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.1f/s passed %d of %d times", rate, passed, of);
    }
  }

  private void recover() throws InterruptedException {
    try {
      boolean passing = trials.recovery(hi, WELL_BELOW * lo).judgement().passing();
      recovery = passing ? Knee.Recovery.RECOVERED : Knee.Recovery.NOT_RECOVERED;
    } catch (AbortedException e) {
      // The knee was measured all the same.
      remarks.add("recovery: " + e.getMessage());
    }
  }

  private Knee knee(Knee.Kind kind) {
    List<Probe> probes = trials.made();
    return new Knee(
        criterion.title(), kind, lo, hi, estimate(kind, probes), recovery, remarks, probes);
  }

  private Knee.@Nullable Estimate estimate(Knee.Kind kind, List<Probe> probes) {
    OptionalDouble limit = criterion.limitMicros();
    return kind == Knee.Kind.KNEE && limit.isPresent()
        ? Fit.of(probes, limit.getAsDouble(), new Interval(lo, hi), fitSeed)
        : null;
  }
}
