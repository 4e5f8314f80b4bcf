package dev.partita.json;

import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.MisuseException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How amounts are written as texts: in whole minor units, or as decimals in major units, which need
 * to know the asset. Immutable; safe for use by any number of threads if its function is.
 *
 * <p>In the major form every method throws {@link MisuseException} on the field {@code asset} if
 * the asset is null or unknown.
 */
public final class Amounts {

  /** Whole minor units: {@code "1234"} is 12.34 EUR. Takes any asset, and none. */
  public static final Amounts MINOR = new Amounts(null);

  private static final Pattern TOTAL = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");
  private static final int TOTAL_LENGTH_MAX = 100;

  /** What texts of minor units have digits as; its name says in messages what is meant. */
  private static final Asset WHOLE = Asset.of("MINOR_UNITS", 0);

  private final @Nullable Function<AssetCode, ? extends @Nullable Asset> assets;

  private Amounts(@Nullable Function<AssetCode, ? extends @Nullable Asset> assets) {
    this.assets = assets;
  }

  /**
   * Decimals with exactly the asset's digits after the point: {@code "12.34"}. Fewer digits are
   * read too, more never.
   *
   * @param assets the asset of a code, or null if it is not registered
   */
  public static Amounts major(Function<AssetCode, ? extends @Nullable Asset> assets) {
    return new Amounts(Objects.requireNonNull(assets, "assets"));
  }

  /** The text of an amount. */
  public String format(Amount amount, @Nullable AssetCode asset) {
    return format(amount.toBigInteger(), asset);
  }

  /** The text of a balance or limit. */
  public String format(Balance balance, @Nullable AssetCode asset) {
    return format(balance.toBigInteger(), asset);
  }

  /** The text of a total, which may be larger than an amount can be. */
  public String format(BigInteger minorUnits, @Nullable AssetCode asset) {
    return new BigDecimal(minorUnits, scaleOf(asset).scale()).toPlainString();
  }

  /**
   * Reads an amount.
   *
   * @throws MisuseException if the text is anything else or out of range; never rounds
   */
  public Amount parseAmount(String text, @Nullable AssetCode asset) {
    return Amount.parse(text, scaleOf(asset));
  }

  /**
   * Reads a balance or limit.
   *
   * @throws MisuseException if the text is anything else or out of range; never rounds
   */
  public Balance parseBalance(String text, @Nullable AssetCode asset) {
    return Balance.parse(text, scaleOf(asset));
  }

  /** Reads a total, which may be larger than an amount can be. */
  BigInteger parseTotal(String text, @Nullable AssetCode asset) {
    int scale = scaleOf(asset).scale();
    if (text.length() > TOTAL_LENGTH_MAX || !TOTAL.matcher(text).matches()) {
      throw new MisuseException("total", "must be a decimal number, without a sign");
    }
    try {
      return new BigDecimal(text).setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
    } catch (ArithmeticException e) {
      throw new MisuseException("total", "has more than " + scale + " digits after the point");
    }
  }

  /** Whether an amount cannot be read without its asset. */
  boolean needAsset() {
    return assets != null;
  }

  /** An asset with the digits that texts of {@code code} have. */
  private Asset scaleOf(@Nullable AssetCode code) {
    if (assets == null) {
      return WHOLE;
    }
    if (code == null) {
      throw new MisuseException("asset", "an amount in major units needs its asset beside it");
    }
    Asset asset = assets.apply(code);
    if (asset == null) {
      throw new MisuseException(
          "asset", code + " is not registered in this ledger; register it or correct the code");
    }
    return asset;
  }
}
