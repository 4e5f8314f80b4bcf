package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BootstrapTest {

  @Test
  void theMiddlePartOfTheDrawsIsTheInterval() {
    AtomicInteger next = new AtomicInteger(2_000);
    assertThat(Bootstrap.interval(2_000, 0.95, 1, random -> next.decrementAndGet()))
        .isEqualTo(new Interval(50, 1_949));
  }

  @Test
  void theMeanOfTwoValuesDrawnAgainIsOneOrTheOtherOrBetween() {
    // Both drawn alike in half of all cases, once each in the other half.
    SplittableRandom random = new SplittableRandom(7);
    double[] values = {1, 3};
    int between = 0;
    int draws = 10_000;
    for (int i = 0; i < draws; i++) {
      double mean = Bootstrap.mean(values, random);
      assertThat(mean).isIn(1.0, 2.0, 3.0);
      between += mean == 2 ? 1 : 0;
    }
    assertThat((double) between / draws).isCloseTo(0.5, Offset.offset(0.02));
  }

  @Test
  void theSameSeedMakesTheSameInterval() {
    double[] values = {1, 2, 4, 8, 16};
    Interval one = Bootstrap.interval(500, 0.9, 42, random -> Bootstrap.mean(values, random));
    assertThat(Bootstrap.interval(500, 0.9, 42, random -> Bootstrap.mean(values, random)))
        .isEqualTo(one);
    assertThat(one.low()).isLessThan(6.2);
    assertThat(one.high()).isGreaterThan(6.2);
  }
}
