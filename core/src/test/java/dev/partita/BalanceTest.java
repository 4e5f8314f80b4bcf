package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BalanceTest {

  private static final Asset EUR = Asset.of("EUR", 2);

  @Test
  void calculatesAsWholeNumbersDo() {
    long seed = Numbers.seed();
    for (BigInteger x : Numbers.balances(seed)) {
      Balance a = Balance.ofMinor(x);
      assertThat(a.toBigInteger()).as(Numbers.rerun(seed)).isEqualTo(x);
      assertThat(a).hasToString(x.toString());
      assertThat(a.isNegative()).isEqualTo(x.signum() < 0);
      assertThat(a.isZero()).isEqualTo(x.signum() == 0);
      for (BigInteger y : Numbers.amounts(seed)) {
        String pair = x + " and " + y + ", " + Numbers.rerun(seed);
        Amount b = Amount.ofMinor(y);
        BigInteger sum = x.add(y);
        if (sum.compareTo(Numbers.MAX) > 0) {
          assertThatExceptionOfType(ArithmeticException.class).as(pair).isThrownBy(() -> a.plus(b));
        } else {
          assertThat(a.plus(b).toBigInteger()).as(pair).isEqualTo(sum);
        }
        BigInteger difference = x.subtract(y);
        if (difference.compareTo(Numbers.MAX.negate()) < 0) {
          assertThatExceptionOfType(ArithmeticException.class)
              .as(pair)
              .isThrownBy(() -> a.minus(b));
        } else {
          assertThat(a.minus(b).toBigInteger()).as(pair).isEqualTo(difference);
        }
      }
    }
  }

  @Test
  void measuresTheExcessOverAFloorWithoutOverflow() {
    long seed = Numbers.seed();
    for (BigInteger x : Numbers.balances(seed)) {
      for (BigInteger y : Numbers.balances(seed)) {
        String pair = x + " over " + y + ", " + Numbers.rerun(seed);
        Balance a = Balance.ofMinor(x);
        Balance b = Balance.ofMinor(y);
        assertThat(Integer.signum(a.compareTo(b))).as(pair).isEqualTo(x.compareTo(y));
        assertThat(a.excessOver(b).toBigInteger())
            .as(pair)
            .isEqualTo(x.subtract(y).max(BigInteger.ZERO).min(Numbers.MAX));
      }
    }
  }

  @Test
  void refusesWhatIsOutsideItsRange() {
    BigInteger above = Numbers.MAX.add(BigInteger.ONE);
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> Balance.ofMinor(above));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> Balance.ofMinor(above.negate()));
    assertThat(Balance.MAX.toBigInteger()).isEqualTo(Numbers.MAX);
    assertThat(Balance.MIN.toBigInteger()).isEqualTo(Numbers.MAX.negate());
    assertThat(Balance.ofMinor(Long.MIN_VALUE).toBigInteger())
        .isEqualTo(BigInteger.valueOf(Long.MIN_VALUE));
  }

  @ParameterizedTest
  @CsvSource({"90, 90.00", "-12.5, -12.50", "-0, 0.00", "-0.01, -0.01", "0.01, 0.01"})
  void readsAndWritesMajorUnits(String text, String written) {
    assertThat(Balance.parse(text, EUR).format(EUR)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "--1", "+1", "1-", "- 1", "−1", "-.5", "-1.", "-1.001", "NaN"})
  void refusesEverythingElse(String text) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> Balance.parse(text, EUR))
        .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("balance"));
  }

  @Test
  void readsBackWhatItWritesInEveryScale() {
    long seed = Numbers.seed();
    for (int scale = 0; scale <= Asset.SCALE_MAX; scale++) {
      Asset asset = Asset.of("X", scale);
      for (BigInteger minor : Numbers.balances(seed)) {
        Balance balance = Balance.ofMinor(minor);
        assertThat(Balance.parse(balance.format(asset), asset))
            .as("%s at scale %s, %s", minor, scale, Numbers.rerun(seed))
            .isEqualTo(balance);
      }
    }
  }
}
