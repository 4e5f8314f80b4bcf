package dev.partita.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Finding.Outcome;
import dev.partita.lab.result.Ratio;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapesTest {

  private static Ratio ratio(double median) {
    return new Ratio("a / b", "a", "b", List.of(median * 0.9, median, median * 1.1), median, "");
  }

  @ParameterizedTest
  @CsvSource({"4.0, SHOWN", "9.0, SHOWN", "3.9, UNCLEAR", "3.0, UNCLEAR", "2.9, REFUTED"})
  void atLeast(double value, Outcome outcome) {
    assertThat(Shapes.atLeast(ratio(value), 4, 3).outcome()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({"0.25, SHOWN", "0.1, SHOWN", "0.26, UNCLEAR", "0.6, UNCLEAR", "0.61, REFUTED"})
  void atMost(double value, Outcome outcome) {
    assertThat(Shapes.atMost(ratio(value), 0.25, 0.6).outcome()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({"1.0, SHOWN", "1.3, SHOWN", "0.9, UNCLEAR", "1.4, UNCLEAR", "1.6, REFUTED"})
  void between(double value, Outcome outcome) {
    assertThat(Shapes.between(ratio(value), 1.0, 1.3, 1.5).outcome()).isEqualTo(outcome);
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    Ratio nothing = new Ratio("a / b", "a", "b", List.of(), Double.NaN, "");
    assertThat(Shapes.atLeast(nothing, 4, 3).outcome()).isEqualTo(Outcome.NOT_JUDGED);
    assertThat(Shapes.atMost(nothing, 4, 5).outcome()).isEqualTo(Outcome.NOT_JUDGED);
  }

  @Test
  void saysWhatWasSeenInEachBlock() {
    assertThat(Shapes.atLeast(ratio(4), 4, 3).observed()).isEqualTo("4.00 (3.60 to 4.40)");
  }
}
