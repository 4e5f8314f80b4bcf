package dev.partita.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.MisuseException;
import java.math.BigInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {

  private static final Amounts MAJOR = Amounts.major(RandomValues.ASSETS::get);
  private static final AssetCode EUR = new AssetCode("EUR");

  @Test
  void minorUnitsAreWholeAndNeedNoAsset() {
    assertThat(Amounts.MINOR.format(Amount.ofMinor(1234), null)).isEqualTo("1234");
    assertThat(Amounts.MINOR.parseAmount("1234", null)).isEqualTo(Amount.ofMinor(1234));
    assertThat(Amounts.MINOR.format(Balance.ofMinor(-5), EUR)).isEqualTo("-5");
    assertThat(Amounts.MINOR.parseBalance("-5", EUR)).isEqualTo(Balance.ofMinor(-5));
  }

  @Test
  void majorUnitsHaveExactlyTheDigitsOfTheAsset() {
    assertThat(MAJOR.format(Amount.ofMinor(1230), EUR)).isEqualTo("12.30");
    assertThat(MAJOR.format(Amount.ofMinor(5), new AssetCode("JPY"))).isEqualTo("5");
    assertThat(MAJOR.format(BigInteger.TWO.pow(130), EUR))
        .isEqualTo("13611294676837538538534984297270728458.24");
    assertThat(MAJOR.parseAmount("12.3", EUR)).isEqualTo(Amount.ofMinor(1230));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "-1", "+1", "1e2", "", " 1", "٣", "0x1"})
  void minorUnitsAreDigitsAlone(String text) {
    assertThat(misuse(() -> Amounts.MINOR.parseAmount(text, null)).field()).isEqualTo("amount");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.234", "-1.00", "1.", ".5", "1,00", "NaN"})
  void majorUnitsAreNeverRoundedOrGuessed(String text) {
    assertThat(misuse(() -> MAJOR.parseAmount(text, EUR)).field()).isEqualTo("amount");
  }

  @Test
  void majorUnitsNeedAKnownAsset() {
    assertThat(misuse(() -> MAJOR.format(Amount.ZERO, new AssetCode("USD"))).field())
        .isEqualTo("asset");
    assertThat(misuse(() -> MAJOR.parseBalance("1", null)).field()).isEqualTo("asset");
  }

  private static MisuseException misuse(ThrowingCallable call) {
    MisuseException misuse = catchThrowableOfType(MisuseException.class, call);
    assertThat(misuse).isNotNull();
    return misuse;
  }
}
