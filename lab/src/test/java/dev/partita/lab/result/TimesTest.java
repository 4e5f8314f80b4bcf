package dev.partita.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimesTest {

  @Test
  void aCurveIsShortHoweverManyTimesThereAre() {
    Histogram histogram = new Histogram(3);
    for (int i = 0; i <= 30; i++) {
      histogram.recordValueWithCount(1_000 + 10L * i, 1L << (30 - i));
    }
    Times times = Times.of(histogram);
    assertThat(times.curve()).hasSizeBetween(20, 40);
    assertThat(times.curve()).extracting(Times.Point::micros).isSorted();
    assertThat(times.curve().getLast()).isEqualTo(new Times.Point(100, histogram.getMaxValue()));
    assertThat(times.curve().get(times.curve().size() - 2).percentile()).isBetween(99.9, 99.99);
    assertThat(times.withoutCurve().curve()).isEmpty();
    assertThat(times.withoutCurve().p999()).isEqualTo(times.p999());
  }

  @Test
  void noTimesHaveNoCurve() {
    assertThat(Times.of(new Histogram(3)).curve()).isEmpty();
  }
}
