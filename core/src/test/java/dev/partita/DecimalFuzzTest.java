package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Tag;

/** Any text is either an amount of an asset, and then exactly what it says, or refused as one. */
@Tag("slow")
class DecimalFuzzTest {

  @FuzzTest(maxDuration = "30s")
  void amountsAndBalances(FuzzedDataProvider data) {
    Asset asset = Asset.of("X", data.consumeInt(0, Asset.SCALE_MAX));
    if (data.consumeBoolean()) {
      backFromText(new BigInteger(1, data.consumeBytes(16)), asset);
    } else if (data.consumeBoolean()) {
      backFromText(new BigInteger(-1, data.consumeBytes(16)), asset);
    } else {
      text(data.consumeRemainingAsString(), asset);
    }
  }

  private static void text(String text, Asset asset) {
    BigInteger amount = null;
    BigInteger balance = null;
    try {
      amount = Amount.parse(text, asset).toBigInteger();
    } catch (MisuseException e) {
      assertThat(e.field()).isEqualTo("amount");
    }
    try {
      balance = Balance.parse(text, asset).toBigInteger();
    } catch (MisuseException e) {
      assertThat(e.field()).isEqualTo("balance");
    }
    if (balance == null) {
      assertThat(amount).isNull();
      return;
    }
    // The JDK reads more than we do; what we read it must read alike.
    assertThat(text).matches("-?[0-9]+(\\.[0-9]+)?");
    assertThat(new BigDecimal(balance, asset.scale())).isEqualByComparingTo(text);
    assertThat(amount).isEqualTo(text.startsWith("-") ? null : balance);
    backFromText(balance, asset);
  }

  private static void backFromText(BigInteger minorUnits, Asset asset) {
    if (minorUnits.bitLength() > 127 || minorUnits.equals(BigInteger.ONE.shiftLeft(127).negate())) {
      return;
    }
    Balance balance = Balance.ofMinor(minorUnits);
    assertThat(Balance.parse(balance.format(asset), asset)).isEqualTo(balance);
    if (minorUnits.signum() >= 0) {
      Amount amount = Amount.ofMinor(minorUnits);
      assertThat(Amount.parse(amount.format(asset), asset)).isEqualTo(amount);
    }
  }
}
