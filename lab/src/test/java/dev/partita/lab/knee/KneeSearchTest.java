package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against targets whose every answer is known. */
class KneeSearchTest {

  private static final Plan QUICK = Plan.quick(500, 20_000, 1);
  private static final Criterion USUAL = Criterion.ResponseTime.USUAL;

  /** A target by what its probes find, with the rate and the number of the probe from 1. */
  private static final class Target implements Prober {
    private final BiFunction<Double, Integer, ProbeFacts> answers;
    private final List<String> recoveries = new ArrayList<>();
    private boolean comesBack = true;
    private int probes;

    Target(BiFunction<Double, Integer, ProbeFacts> answers) {
      this.answers = answers;
    }

    @Override
    public ProbeFacts probe(double rate, long seed) {
      return answers.apply(rate, ++probes);
    }

    @Override
    public ProbeFacts recover(double overload, double rate, long seed) {
      recoveries.add("%.1f then %.1f".formatted(overload, rate));
      return comesBack ? Scripted.passing(rate) : Scripted.steady(rate, 4_000_000);
    }
  }

  private static Target kneeAt(double knee) {
    // Rising with the rate, and equal to the limit at the knee.
    return new Target((rate, number) -> Scripted.steady(rate, 20_000 * rate / knee));
  }

  private static Knee search(Plan plan, Prober prober) throws InterruptedException {
    return KneeSearch.run(plan, USUAL, prober, probe -> {}, List.of());
  }

  private static List<Double> rates(Knee knee, Stage stage) {
    return knee.probes().stream()
        .filter(probe -> probe.stage() == stage)
        .map(probe -> Math.round(probe.rate() * 10) / 10.0)
        .toList();
  }

  @Test
  void goesUpInStepsThatBecomeLargerAndThenHalvesWhatIsBetween() throws Exception {
    Target target = kneeAt(1_000);
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(rates(knee, Stage.BRACKET)).containsExactly(500.0, 625.0, 781.3, 1_171.9);
    assertThat(rates(knee, Stage.BISECT)).containsExactly(956.8, 1_058.9, 1_006.6);
    assertThat(knee.lo()).isEqualTo(956.8, Offset.offset(0.1));
    assertThat(knee.hi()).isEqualTo(1_006.6, Offset.offset(0.1));
    assertThat(knee.estimate().rate()).isCloseTo(1_000, Offset.offset(0.1));
    assertThat(knee.remarks()).isEmpty();
    assertThat(knee.criterion()).isEqualTo(USUAL.title());
    assertThat(target.recoveries).containsExactly("1006.6 then 765.5");
    assertThat(knee.recovery()).isEqualTo(Knee.Recovery.RECOVERED);
  }

  @Test
  void goesDownFromAFirstRateThatFails() throws Exception {
    Knee knee = search(QUICK, kneeAt(200));
    assertThat(rates(knee, Stage.BRACKET)).containsExactly(500.0, 400.0, 320.0, 213.3, 142.2);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(knee.lo()).isLessThan(200);
    assertThat(knee.hi()).isGreaterThan(200).isLessThanOrEqualTo(1.1 * knee.lo());
  }

  @Test
  void aDeadTargetHasNoPassingRateAndNoKnee() throws Exception {
    Target dead = new Target((rate, number) -> Scripted.dead(rate));
    Knee knee = search(QUICK, dead);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.NO_PASSING_RATE);
    assertThat(knee.lo()).isZero();
    assertThat(knee.hi()).isEqualTo(QUICK.floor());
    assertThat(knee.estimate()).isNull();
    assertThat(dead.recoveries).isEmpty();
  }

  @Test
  void whatPassesAtTheCeilingIsABoundFromBelow() throws Exception {
    Knee knee = search(Plan.quick(500, 900, 1), kneeAt(1_000));
    assertThat(knee.kind()).isEqualTo(Knee.Kind.LOWER_BOUND);
    assertThat(knee.lo()).isEqualTo(900);
    assertThat(knee.hi()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(knee.estimate()).isNull();
  }

  @Test
  void threeAmbiguousProbesOfARateVote() throws Exception {
    // 1171.9 is probed fourth: two of three lean to FAIL.
    Target target =
        new Target(
            (rate, number) ->
                number == 4 || number == 6
                    ? Scripted.ambiguous(rate, false)
                    : number == 5
                        ? Scripted.ambiguous(rate, true)
                        : Scripted.steady(rate, 20 * rate));
    Knee knee = search(QUICK, target);
    assertThat(rates(knee, Stage.BRACKET))
        .containsExactly(500.0, 625.0, 781.3, 1_171.9, 1_171.9, 1_171.9);
    assertThat(rates(knee, Stage.BISECT)).startsWith(956.8);
  }

  @Test
  void aClearProbeAfterAnAmbiguousOneDecides() throws Exception {
    Target target =
        new Target(
            (rate, number) ->
                number == 4 ? Scripted.ambiguous(rate, true) : Scripted.steady(rate, 20 * rate));
    Knee knee = search(QUICK, target);
    assertThat(rates(knee, Stage.BRACKET)).containsExactly(500.0, 625.0, 781.3, 1_171.9, 1_171.9);
  }

  @Test
  void anUnfitClientIsTriedTwiceMoreAndThenTheSearchIsOver() throws Exception {
    Target target =
        new Target((rate, number) -> number < 3 ? Scripted.passing(rate) : Scripted.unfit(rate));
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.ABORTED);
    assertThat(rates(knee, Stage.BRACKET)).containsExactly(500.0, 625.0, 781.3, 781.3, 781.3);
    assertThat(knee.lo()).isEqualTo(625);
    assertThat(knee.hi()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(knee.estimate()).isNull();
    assertThat(knee.remarks()).singleElement().asString().contains("the generator was late");
    assertThat(knee.probes().stream().map(Probe::seed).distinct()).hasSize(5);
  }

  @Test
  void aClientThatWasUnfitOnceDoesNotChangeTheResult() throws Exception {
    Target target =
        new Target(
            (rate, number) ->
                number == 4 || number == 9
                    ? Scripted.unfit(rate)
                    : Scripted.steady(rate, 20 * rate));
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(knee.lo()).isEqualTo(search(QUICK, kneeAt(1_000)).lo());
  }

  @Test
  void repeatsAreCompleteBlocksInAnOrderThatChanges() throws Exception {
    Plan plan = Plan.full(500, 20_000, 5);
    List<Double> repeats = rates(search(plan, kneeAt(1_000)), Stage.CONFIRM);
    assertThat(repeats).hasSize(30);
    List<List<Double>> blocks = new ArrayList<>();
    for (int i = 0; i < 30; i += 3) {
      blocks.add(repeats.subList(i, i + 3));
    }
    assertThat(blocks.stream().map(block -> block.stream().sorted().toList()).distinct())
        .hasSize(1);
    assertThat(blocks.stream().distinct().count()).isGreaterThan(2);
    assertThat(rates(search(plan, kneeAt(1_000)), Stage.CONFIRM)).isEqualTo(repeats);
  }

  @Test
  void aBoundThatDoesNotHoldIsMovedOnceAndRepeated() throws Exception {
    // The search ends at 956.8 and 1006.6; when repeated the knee is at 920.
    Target target =
        new Target(
            (rate, number) -> Scripted.steady(rate, 20_000 * rate / (number <= 7 ? 1_000 : 920)));
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(knee.lo()).isCloseTo(956.8 / 1.1, Offset.offset(0.1));
    assertThat(knee.hi()).isCloseTo(1_006.6, Offset.offset(0.1));
    assertThat(rates(knee, Stage.CONFIRM)).hasSize(18);
    assertThat(knee.remarks())
        .singleElement()
        .asString()
        .contains("956.8/s passed 0 of 3 times", "moved apart");
  }

  @Test
  void whatDoesNotHoldEvenThenIsUnstableAndHasNoEstimate() throws Exception {
    Target target =
        new Target(
            (rate, number) -> Scripted.steady(rate, 20_000 * rate / (number <= 7 ? 1_000 : 600)));
    target.comesBack = false;
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.UNSTABLE);
    assertThat(knee.estimate()).isNull();
    assertThat(knee.recovery()).isEqualTo(Knee.Recovery.NOT_RECOVERED);
    assertThat(String.join("\n", knee.remarks())).contains("well below the knee, 765.5/s passed 0");
  }

  @Test
  void oneRepetitionInTenMayDisagree() throws Exception {
    // Of the repetitions of each rate the third is out of line.
    Map<Double, Integer> seen = new HashMap<>();
    Target target =
        new Target(
            (rate, number) ->
                seen.merge(rate, 1, Integer::sum) == 3
                    ? Scripted.steady(rate, rate < 1_000 ? 25_000 : 15_000)
                    : Scripted.steady(rate, 20 * rate));
    Knee knee = search(Plan.full(500, 20_000, 1), target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(rates(knee, Stage.CONFIRM)).hasSize(30);
    // And is what the interval comes from.
    assertThat(knee.estimate().interval().low()).isLessThan(knee.estimate().rate());
    assertThat(knee.estimate().interval().high()).isGreaterThan(knee.estimate().rate());
  }

  @Test
  void anIntervalTakesTenRepetitionsOfBothBounds() throws Exception {
    assertThat(search(QUICK, kneeAt(1_000)).estimate().interval()).isNull();
    Knee full = search(Plan.full(500, 20_000, 1), kneeAt(1_000));
    assertThat(full.estimate().interval().low()).isCloseTo(1_000, Offset.offset(0.1));
    assertThat(full.estimate().interval().high()).isCloseTo(1_000, Offset.offset(0.1));
  }

  @Test
  void whatHappensAfterAnOverloadDoesNotChangeTheEstimate() throws Exception {
    Target target = kneeAt(1_000);
    target.comesBack = false;
    Knee knee = search(QUICK, target);
    assertThat(knee.recovery()).isEqualTo(Knee.Recovery.NOT_RECOVERED);
    assertThat(knee.estimate()).isEqualTo(search(QUICK, kneeAt(1_000)).estimate());
  }

  @Test
  void withoutALimitToResponseTimesThereIsABracketAndNoEstimate() throws Exception {
    Target target =
        new Target((rate, number) -> rate <= 1_000 ? Scripted.failing(rate) : Scripted.dead(rate));
    Knee knee = KneeSearch.run(QUICK, new Criterion.ErrorsOnly(), target, probe -> {}, List.of());
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(knee.lo()).isLessThanOrEqualTo(1_000);
    assertThat(knee.hi()).isGreaterThan(1_000);
    assertThat(knee.estimate()).isNull();
  }

  @Test
  void failuresWhoseAnswersWereFastDoNotMakeAnEstimate() throws Exception {
    Target target =
        new Target((rate, number) -> rate <= 1_000 ? Scripted.passing(rate) : Scripted.dead(rate));
    Knee knee = search(QUICK, target);
    assertThat(knee.kind()).isEqualTo(Knee.Kind.KNEE);
    assertThat(knee.estimate()).isNull();
  }

  @Test
  void aSearchGoesOnWhereItWasInterrupted() throws Exception {
    Knee whole = search(QUICK, kneeAt(1_000));
    int total = whole.probes().size();
    for (int interrupted = 0; interrupted <= total; interrupted++) {
      List<Probe> earlier = whole.probes().subList(0, interrupted);
      List<Probe> told = new ArrayList<>();
      Target target = kneeAt(1_000);
      Knee resumed = KneeSearch.run(QUICK, USUAL, target, told::add, earlier);
      assertThat(resumed).isEqualTo(whole);
      assertThat(told).isEqualTo(whole.probes().subList(interrupted, total));
      assertThat(target.probes + target.recoveries.size()).isEqualTo(total - interrupted);
    }
  }

  @Test
  void eachProbeIsToldBeforeTheNextOneBegins() throws Exception {
    List<Probe> told = new ArrayList<>();
    Target target =
        new Target(
            (rate, number) -> {
              assertThat(told).hasSize(number - 1);
              return Scripted.steady(rate, 20 * rate);
            });
    Knee knee = KneeSearch.run(QUICK, USUAL, target, told::add, List.of());
    assertThat(told).isEqualTo(knee.probes());
    assertThat(told.stream().map(Probe::number).collect(Collectors.toSet())).hasSize(told.size());
  }

  @Test
  void probesOfAnotherSearchAreRefused() throws Exception {
    List<Probe> other = search(Plan.quick(500, 20_000, 2), kneeAt(1_000)).probes();
    assertThatThrownBy(() -> KneeSearch.run(QUICK, USUAL, kneeAt(1_000), probe -> {}, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("probe 1 is of another search");
    List<Probe> whole = search(QUICK, kneeAt(1_000)).probes();
    List<Probe> tooMany = new ArrayList<>(whole);
    tooMany.add(whole.getLast());
    assertThatThrownBy(() -> KneeSearch.run(QUICK, USUAL, kneeAt(1_000), probe -> {}, tooMany))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends after " + whole.size());
  }

  @Test
  void aPlanOutOfRangeIsRefused() {
    assertThatThrownBy(() -> Plan.quick(0, 100, 1)).hasMessageContaining("start");
    assertThatThrownBy(() -> Plan.quick(5, 10, 1)).hasMessageContaining("ceiling");
    assertThatThrownBy(() -> new Plan(5, 10, 100, 0, 8, 3, 1)).hasMessageContaining("tolerance");
  }
}
