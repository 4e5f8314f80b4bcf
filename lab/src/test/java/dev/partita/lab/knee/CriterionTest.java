package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.lab.load.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CriterionTest {

  private static final Criterion USUAL = Criterion.ResponseTime.USUAL;
  private static final Criterion ERRORS_ONLY = new Criterion.ErrorsOnly();
  private static final List<Integer> LEVEL = Collections.nCopies(20, 5);

  @Test
  void aPromiseKeptOrBrokenBeyondNoiseIsClear() {
    assertThat(USUAL.judge(Scripted.steady(100, 19_999)).verdict()).isEqualTo(Verdict.PASS);
    assertThat(USUAL.judge(Scripted.steady(100, 20_001)).verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void aLimitWithinTheNoiseIsAmbiguousAndLeansToTheMeasuredValue() {
    Judgement low = USUAL.judge(Scripted.ambiguous(100, true));
    assertThat(low.verdict()).isEqualTo(Verdict.AMBIGUOUS);
    assertThat(low.passing()).isTrue();
    Judgement high = USUAL.judge(Scripted.ambiguous(100, false));
    assertThat(high.verdict()).isEqualTo(Verdict.AMBIGUOUS);
    assertThat(high.passing()).isFalse();
  }

  @Test
  void withoutALimitToResponseTimesSlownessPasses() {
    assertThat(ERRORS_ONLY.judge(Scripted.failing(100)).verdict()).isEqualTo(Verdict.PASS);
    assertThat(ERRORS_ONLY.judge(Scripted.dead(100)).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(ERRORS_ONLY.limitMicros()).isEmpty();
    assertThat(ERRORS_ONLY.title()).contains("errors");
    assertThat(USUAL.title()).isEqualTo("p99 ≤ 20.0 ms, errors ≤ 0.1 %");
  }

  /** However fast the rest was. */
  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"COMMITTED", "REJECTED", "REPLAYED"})
  void moreThanOneFailureInAThousandFailsWhateverItsKind(Outcome outcome) {
    assertThat(judge(10_000, 9_990, Map.of(outcome, 10L), LEVEL).verdict()).isEqualTo(Verdict.PASS);
    assertThat(judge(10_000, 9_989, Map.of(outcome, 11L), LEVEL).verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void answersThatDoNotKeepUpFail() {
    assertThat(judge(10_000, 9_800, Map.of(), LEVEL).verdict()).isEqualTo(Verdict.PASS);
    Judgement late = judge(10_000, 9_799, Map.of(), LEVEL);
    assertThat(late.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(late.reason()).contains("97.99 %");
  }

  @Test
  void aFewAnswersMoreOrLessAtTheEndsOfAWindowAreChance() {
    // Three deviations of 5 at one end and 5 at the other: 9.5.
    assertThat(judge(200, 191, Map.of(), LEVEL).verdict()).isEqualTo(Verdict.PASS);
    assertThat(judge(200, 190, Map.of(), LEVEL).verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void aQueueThatGrowsFailsThoughResponsesStillLookFine() {
    List<Integer> growing = IntStream.range(0, 20).mapToObj(at -> at * 6).toList();
    Judgement judgement = judge(10_000, 9_900, Map.of(), growing);
    assertThat(judgement.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(judgement.reason()).contains("grew by 114, limit 100");
  }

  @Test
  void aQueueThatComesAndGoesIsNoGrowth() {
    List<Integer> peak = IntStream.range(0, 20).mapToObj(at -> at == 17 ? 900 : 5).toList();
    assertThat(judge(10_000, 10_000, Map.of(), peak).verdict()).isEqualTo(Verdict.PASS);
  }

  @Test
  void anUnfitClientIsNeverTheTargetsFault() {
    ProbeFacts short98 =
        new ProbeFacts(
            100, 10_000, 5_000, Map.of(Outcome.DROPPED, 5_000L), 9e6, List.of(), LEVEL, 9, "busy");
    Judgement judgement = USUAL.judge(short98);
    assertThat(judgement.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(judgement.passing()).isFalse();
    assertThat(judgement.reason()).isEqualTo("busy");
    assertThat(USUAL.judge(ProbeFacts.nothing(100, null)).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void aLimitOfNothingIsRefused() {
    assertThatThrownBy(() -> new Criterion.ResponseTime(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 µs");
  }

  private static Judgement judge(
      long offered, long answered, Map<Outcome, Long> failures, List<Integer> underWay) {
    return USUAL.judge(
        new ProbeFacts(
            100,
            offered,
            answered,
            failures,
            5_000,
            Collections.nCopies(10, 5_000.0),
            underWay,
            1_000,
            null));
  }
}
