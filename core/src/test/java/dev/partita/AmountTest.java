package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {

  private static final Asset EUR = Asset.of("EUR", 2);

  @Test
  void calculatesAsWholeNumbersDo() {
    long seed = Numbers.seed();
    for (BigInteger x : Numbers.amounts(seed)) {
      Amount a = Amount.ofMinor(x);
      assertThat(a.toBigInteger()).as(Numbers.rerun(seed)).isEqualTo(x);
      assertThat(a).hasToString(x.toString());
      assertThat(a.isZero()).isEqualTo(x.signum() == 0);
      for (BigInteger y : Numbers.amounts(seed)) {
        String pair = x + " and " + y + ", " + Numbers.rerun(seed);
        Amount b = Amount.ofMinor(y);
        assertThat(Integer.signum(a.compareTo(b))).as(pair).isEqualTo(x.compareTo(y));
        assertThat(a.equals(b)).as(pair).isEqualTo(x.equals(y));
        assertThat(a.min(b).toBigInteger()).as(pair).isEqualTo(x.min(y));
        BigInteger sum = x.add(y);
        assertThat(a.overflowsWith(b)).as(pair).isEqualTo(sum.compareTo(Numbers.MAX) > 0);
        if (a.overflowsWith(b)) {
          assertThatExceptionOfType(ArithmeticException.class).as(pair).isThrownBy(() -> a.plus(b));
        } else {
          assertThat(a.plus(b).toBigInteger()).as(pair).isEqualTo(sum);
        }
        if (x.compareTo(y) < 0) {
          assertThatExceptionOfType(ArithmeticException.class)
              .as(pair)
              .isThrownBy(() -> a.minus(b));
        } else {
          assertThat(a.minus(b).toBigInteger()).as(pair).isEqualTo(x.subtract(y));
        }
        Balance difference = Balance.difference(a, b);
        assertThat(difference.toBigInteger()).as(pair).isEqualTo(x.subtract(y));
      }
    }
  }

  @Test
  void refusesWhatIsOutsideItsRange() {
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> Amount.ofMinor(-1));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> Amount.ofMinor(BigInteger.ONE.negate()));
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> Amount.ofMinor(Numbers.MAX.add(BigInteger.ONE)));
    assertThatExceptionOfType(MisuseException.class).isThrownBy(() -> new Amount(-1, 0));
    assertThat(Amount.MAX.toBigInteger()).isEqualTo(Numbers.MAX);
  }

  @ParameterizedTest
  @CsvSource({
    "90, 9000, 90.00",
    "90.0, 9000, 90.00",
    "90.00, 9000, 90.00",
    "0, 0, 0.00",
    "0.01, 1, 0.01",
    "000.10, 10, 0.10",
    "1701411834604692317316873037158841057.27, 170141183460469231731687303715884105727, "
        + "1701411834604692317316873037158841057.27"
  })
  void readsAndWritesMajorUnits(String text, BigInteger minor, String written) {
    Amount amount = Amount.parse(text, EUR);
    assertThat(amount.toBigInteger()).isEqualTo(minor);
    assertThat(amount.format(EUR)).isEqualTo(written);
    assertThat(Amount.parse(written, EUR)).isEqualTo(amount);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "-1",
        "+1",
        "1.",
        ".5",
        ".",
        "1..2",
        "1.2.3",
        "1,5",
        "1e3",
        "1E3",
        "0x10",
        "NaN",
        "Infinity",
        " 1",
        "1 ",
        "1\n",
        "1_000",
        "١٢",
        "１",
        "\uD800",
        "1.001",
        "0.000",
        "1701411834604692317316873037158841057.28"
      })
  void refusesEverythingElse(String text) {
    assertThatExceptionOfType(MisuseException.class)
        .isThrownBy(() -> Amount.parse(text, EUR))
        .satisfies(misuse -> assertThat(misuse.field()).isEqualTo("amount"));
  }

  @Test
  void readsBackWhatItWritesInEveryScale() {
    long seed = Numbers.seed();
    for (int scale = 0; scale <= Asset.SCALE_MAX; scale++) {
      Asset asset = Asset.of("X", scale);
      for (BigInteger minor : Numbers.amounts(seed)) {
        Amount amount = Amount.ofMinor(minor);
        assertThat(Amount.parse(amount.format(asset), asset))
            .as("%s at scale %s, %s", minor, scale, Numbers.rerun(seed))
            .isEqualTo(amount);
      }
    }
  }
}
