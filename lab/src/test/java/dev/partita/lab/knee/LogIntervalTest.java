package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogIntervalTest {

  /** As printed in tables of Student's t. */
  @ParameterizedTest
  @CsvSource({"1, 0.95, 12.706", "9, 0.95, 2.262", "9, 0.99, 3.250", "30, 0.95, 2.042"})
  void quantilesAreThoseOfTheTables(int degreesOfFreedom, double confidence, double quantile) {
    assertThat(LogInterval.quantile(degreesOfFreedom, confidence))
        .isCloseTo(quantile, Offset.offset(0.0005));
  }

  @Test
  void theIntervalLiesAroundTheWholeAndIsAsWideAsThePartsDiffer() {
    // Logarithms 1, 2 and 3: deviation 1, error 1/√3, t of two degrees of freedom 4.3027.
    Interval interval =
        LogInterval.around(100, List.of(Math.exp(1), Math.exp(2), Math.exp(3)), 0.95);
    assertThat(interval.low()).isCloseTo(8.340, Offset.offset(0.001));
    assertThat(interval.high()).isCloseTo(1199.1, Offset.offset(0.1));
  }

  @Test
  void partsThatAgreeLeaveNoDoubt() {
    Interval interval = LogInterval.around(7, List.of(5.0, 5.0, 5.0), 0.95);
    assertThat(interval.low()).isCloseTo(7, Offset.offset(1e-9));
    assertThat(interval.high()).isCloseTo(7, Offset.offset(1e-9));
  }

  @Test
  void onePartThatStandsOutIsDoubtAndNotOutvoted() {
    List<Double> oneStall = List.of(5.0, 5.0, 5.0, 5.0, 900.0, 5.0, 5.0, 5.0, 5.0, 5.0);
    Interval interval = LogInterval.around(600, oneStall, 0.95);
    assertThat(interval.low()).isGreaterThan(100);
  }
}
