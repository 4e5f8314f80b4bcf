package dev.partita.lab.knee;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IsotonicTest {

  private static final double[] ALIKE = {1, 1, 1, 1};

  @Test
  void valuesThatRiseStayAsTheyAre() {
    assertThat(Isotonic.rising(new double[] {1, 2, 2, 7}, ALIKE)).containsExactly(1, 2, 2, 7);
  }

  @Test
  void neighboursOutOfOrderBecomeTheirMean() {
    assertThat(Isotonic.rising(new double[] {1, 3, 2, 4}, ALIKE)).containsExactly(1, 2.5, 2.5, 4);
  }

  @Test
  void aValueThatIsTooLowPullsDownAllThatCameBefore() {
    // 6 and 5 become 5.5; with 1 that is (6 + 5 + 1) / 3.
    assertThat(Isotonic.rising(new double[] {2, 6, 5, 1}, ALIKE)).containsExactly(2, 4, 4, 4);
  }

  @Test
  void weightsCountAsSoManyValues() {
    // (3 + 3 · 2) / 4
    assertThat(Isotonic.rising(new double[] {1, 3, 2, 4}, new double[] {1, 1, 3, 1}))
        .containsExactly(1, 2.25, 2.25, 4);
  }

  @Test
  void aLevelIsCrossedBetweenTwoPoints() {
    double[] positions = {0, 1, 2, 4};
    double[] fitted = {1, 2, 2, 6};
    assertThat(Isotonic.crossing(positions, fitted, 1.5)).isEqualTo(0.5);
    assertThat(Isotonic.crossing(positions, fitted, 3)).isEqualTo(2.5);
    assertThat(Isotonic.crossing(positions, fitted, 2)).isEqualTo(2);
  }

  @Test
  void nothingIsSaidOfWhatLiesOutsideOfThePoints() {
    double[] positions = {0, 1};
    double[] fitted = {1, 2};
    assertThat(Isotonic.crossing(positions, fitted, 0.9)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Isotonic.crossing(positions, fitted, 2)).isEqualTo(Double.POSITIVE_INFINITY);
  }
}
