package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void writesAsManyDigitsAsSaySomething() {
    assertThat(
            List.of(0.0, 0.1523, 4.268, 61.23, 99.96, 1_240.4, Double.NaN).stream()
                .map(Numbers::figure))
        .containsExactly("0", "0.152", "4.27", "61.2", "100", "1,240", "–");
    assertThat(List.of(0.926, 12.34, 123.4, Double.POSITIVE_INFINITY).stream().map(Numbers::ratio))
        .containsExactly("0.93×", "12.3×", "123×", "–");
  }

  @Test
  void givesEveryTimeTheUnitThatSuitsIt() {
    assertThat(
            List.of(7.0, 999.4, 999.6, 15_300.0, 999_600.0, Double.NaN).stream()
                .map(TimeScale::words))
        .containsExactly("7 µs", "999 µs", "1.00 ms", "15.3 ms", "1.00 s", "–");
    assertThat(TimeScale.forAll(List.of(80.0, 400.0))).isEqualTo(TimeScale.MICROS);
    assertThat(TimeScale.forAll(List.of(80.0, 4e6))).isEqualTo(TimeScale.MILLIS);
    assertThat(TimeScale.forAll(List.of(2e6, 4e6))).isEqualTo(TimeScale.SECONDS);
  }

  @Test
  void findsTheFigureThatIsWanted() {
    assertThat(Numbers.firstIn("≥ 1.2×")).contains(1.2);
    assertThat(Numbers.firstIn("at least 70 % of it")).contains(0.7);
    assertThat(Numbers.firstIn("1,000 or more")).contains(1_000.0);
    assertThat(Numbers.firstIn("as many as there are")).isEmpty();
  }

  @Test
  void takesTheMiddleOfWhatIsThere() {
    assertThat(Spread.of(List.of(3.0, Double.NaN, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3));
    assertThat(Spread.of(List.of(4.0, 1.0))).isEqualTo(new Spread(2.5, 1, 4));
    assertThat(Spread.of(List.of()).median()).isNaN();
  }
}
