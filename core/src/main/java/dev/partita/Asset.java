package dev.partita;

import java.util.Objects;

/**
 * What amounts are amounts of: a currency, a coin, points. Registered once in a ledger; its scale
 * never changes.
 *
 * @param code its name
 * @param scale decimal digits of one major unit, 0 … 30 (EUR: 2)
 */
public record Asset(AssetCode code, int scale) {

  /** The largest scale. */
  public static final int SCALE_MAX = 30;

  /**
   * Checks the range.
   *
   * @throws MisuseException if the scale is outside 0 … 30
   */
  public Asset {
    Objects.requireNonNull(code, "code");
    if (scale < 0 || scale > SCALE_MAX) {
      throw new MisuseException("scale", "the scale of " + code + " must be 0 … 30, was " + scale);
    }
  }

  /** An asset with its scale. */
  public static Asset of(String code, int scale) {
    return new Asset(new AssetCode(code), scale);
  }

  /**
   * An ISO 4217 currency with the scale that the standard gives it.
   *
   * @throws MisuseException if the code is not an active ISO 4217 currency with minor units
   */
  public static Asset iso(String code) {
    AssetCode checked = new AssetCode(code);
    Integer scale = Iso4217.scale(code);
    if (scale == null) {
      throw new MisuseException("scale", code + " is not an ISO 4217 currency, so name its scale");
    }
    return new Asset(checked, scale);
  }
}
