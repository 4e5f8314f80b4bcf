package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The search finds what queueing theory says, in virtual time, and claims nothing beyond it. */
class VirtualTargetsTest {

  private static final double LIMIT = 0.02;
  private static final double TAIL = 0.01;
  private static final double CEILING = 20_000;

  /** The rate at which the 99th percentile of a target is the limit. */
  private static double rateAtLimit(DoubleUnaryOperator tailAtRate, double capacity) {
    double low = 0;
    double high = capacity;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (tailAtRate.applyAsDouble(middle) > TAIL) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** Beginning somewhere else with each seed: a rate that lies well for one may not for another. */
  private static Plan quick(long seed) {
    return Plan.quick(300 + 400 * new SplittableRandom(seed).nextDouble(), CEILING, seed);
  }

  private static Knee search(Plan plan, Prober target) {
    try {
      return KneeSearch.run(plan, Criterion.ResponseTime.USUAL, target, probe -> {}, List.of());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Knee> searches(int count, Supplier<Prober> targets) {
    return IntStream.range(0, count)
        .parallel()
        .mapToObj(seed -> search(quick(seed), targets.get()))
        .toList();
  }

  private static boolean contains(Knee knee, double rate) {
    return knee.lo() <= rate && rate <= knee.hi();
  }

  /** The seeds of those that do not, so that they can be looked at. */
  private static List<String> misses(List<Knee> knees, double rate) {
    return IntStream.range(0, knees.size())
        .filter(seed -> !contains(knees.get(seed), rate))
        .mapToObj(
            seed ->
                "seed %d: %s %.1f to %.1f"
                    .formatted(
                        seed, knees.get(seed).kind(), knees.get(seed).lo(), knees.get(seed).hi()))
        .toList();
  }

  private static long count(List<Knee> knees, Knee.Kind kind) {
    return knees.stream().filter(knee -> knee.kind() == kind).count();
  }

  @Test
  void ninetyFiveOfAHundredBracketsOfOneExponentialServerContainItsKnee() {
    double mu = 1_000;
    double knee = mu - Math.log(1 / TAIL) / LIMIT;
    assertThat(knee).isCloseTo(769.7, Offset.offset(0.1));
    List<Knee> knees = searches(200, () -> VirtualTarget.of(1, 30, VirtualTarget.exponential(mu)));
    assertThat(misses(knees, knee)).hasSizeLessThanOrEqualTo(10);
    List<Knee> published = knees.stream().filter(each -> each.kind() == Knee.Kind.KNEE).toList();
    assertThat(published).hasSizeGreaterThanOrEqualTo(180);
    assertThat(misses(published, knee)).hasSizeLessThanOrEqualTo(published.size() / 20);
    // It comes back at once.
    assertThat(knees).allMatch(each -> each.recovery() == Knee.Recovery.RECOVERED);
  }

  @Test
  void tenRepetitionsMakeAnEstimateWithAnInterval() {
    double knee = 1_000 - Math.log(1 / TAIL) / LIMIT;
    for (long seed = 0; seed < 3; seed++) {
      Knee found =
          search(
              Plan.full(500, CEILING, seed),
              VirtualTarget.of(1, 120, VirtualTarget.exponential(1_000)));
      assertThat(found.kind()).as("seed " + seed).isEqualTo(Knee.Kind.KNEE);
      assertThat(contains(found, knee)).as("seed " + seed).isTrue();
      assertThat(found.estimate().rate()).isCloseTo(knee, Offset.offset(knee * 0.02));
      assertThat(found.estimate().interval().low()).isGreaterThan(0.97 * knee);
      assertThat(found.estimate().interval().high()).isLessThan(1.03 * knee);
    }
  }

  @Test
  void aServerThatTakesTheSameTimeForEachHasItsKneeFurtherUp() {
    double service = 0.001;
    // Waiting that leaves less than the limit, by Erlang's sum for constant service.
    double knee =
        rateAtLimit(
            rate -> {
              double sum = 0;
              for (int k = 0; k <= 19; k++) {
                double x = rate * (LIMIT - service - k * service);
                double term = Math.exp(x);
                for (int i = 1; i <= k; i++) {
                  term *= -x / i;
                }
                sum += term;
              }
              return 1 - (1 - rate * service) * sum;
            },
            1 / service);
    assertThat(knee).isGreaterThan(850).isLessThan(950);
    List<Knee> knees =
        searches(20, () -> VirtualTarget.of(1, 40, (begin, random) -> begin + service));
    assertThat(misses(knees, knee)).hasSizeLessThanOrEqualTo(1);
    assertThat(count(knees, Knee.Kind.KNEE)).isGreaterThanOrEqualTo(17);
  }

  @Test
  void severalServersWithOneQueueHaveTheKneeOfErlangsFormula() {
    int servers = 4;
    double mu = 400;
    double knee =
        rateAtLimit(
            rate -> {
              double load = rate / mu;
              double blocked = 1;
              for (int i = 1; i <= servers; i++) {
                blocked = load * blocked / (i + load * blocked);
              }
              double waits = blocked / (1 - load / servers * (1 - blocked));
              double spare = servers - 1 - load;
              return Math.exp(-mu * LIMIT)
                  * (1 + waits / spare * (1 - Math.exp(-mu * spare * LIMIT)));
            },
            servers * mu);
    assertThat(knee).isGreaterThan(1_000).isLessThan(1_500);
    List<Knee> knees =
        searches(20, () -> VirtualTarget.of(servers, 40, VirtualTarget.exponential(mu)));
    assertThat(misses(knees, knee)).hasSizeLessThanOrEqualTo(1);
    assertThat(count(knees, Knee.Kind.KNEE)).isGreaterThanOrEqualTo(17);
  }

  @Test
  void aStallOfASecondInEveryMinuteIsSeenAtEveryRate() {
    VirtualTarget.Service stalling =
        (begin, random) -> {
          double at = begin % 60 < 1 ? begin - begin % 60 + 1 : begin;
          return at + random.nextExponential() / 1_000;
        };
    for (long seed = 0; seed < 3; seed++) {
      // A window as long as the period; at the floor still some thousand operations.
      Knee knee =
          search(new Plan(500, 100, CEILING, 0.1, 8, 3, seed), VirtualTarget.of(1, 60, stalling));
      assertThat(knee.kind()).as("seed " + seed).isEqualTo(Knee.Kind.NO_PASSING_RATE);
    }
  }

  @Test
  void aTargetThatBecomesSlowerFromProbeToProbeIsUnstable() {
    for (int seed = 0; seed < 10; seed++) {
      Knee knee =
          search(
              quick(seed),
              new VirtualTarget(
                  1,
                  20,
                  probe -> VirtualTarget.exponential(1_000 * Math.pow(0.97, probe)),
                  Double.POSITIVE_INFINITY));
      assertThat(knee.kind()).as("seed " + seed).isEqualTo(Knee.Kind.UNSTABLE);
    }
  }

  @Test
  void aTargetThatBecomesSlowerWithinAWindowIsNotTakenForWhatItWasAtFirst() {
    // From 1000 a second at first to 500 when the window ends.
    VirtualTarget.Service leaking =
        (begin, random) -> begin + random.nextExponential() / 1_000 * (1 + begin / 42);
    for (int seed = 0; seed < 10; seed++) {
      Knee knee = search(quick(seed), VirtualTarget.of(1, 40, leaking));
      assertThat(knee.lo()).as("seed " + seed).isLessThan(500);
    }
  }

  @Test
  void aGeneratorThatIsTooSlowAbortsTheSearch() {
    for (int seed = 0; seed < 10; seed++) {
      Knee knee =
          search(
              Plan.quick(300, CEILING, seed),
              new VirtualTarget(1, 20, probe -> VirtualTarget.exponential(1_000), 400));
      assertThat(knee.kind()).as("seed " + seed).isEqualTo(Knee.Kind.ABORTED);
      assertThat(knee.lo()).isEqualTo(375);
      assertThat(knee.hi()).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(knee.estimate()).isNull();
    }
  }

  @Test
  void aTargetThatAnswersNothingInTimeHasNoKnee() {
    Knee knee = search(quick(1), VirtualTarget.of(1, 20, (begin, random) -> begin + 1_000));
    assertThat(knee.kind()).isEqualTo(Knee.Kind.NO_PASSING_RATE);
  }
}
