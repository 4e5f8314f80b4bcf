package dev.partita;

import java.math.BigInteger;
import java.util.Objects;

/**
 * A signed number of an asset's minor units, within ±(2^127−1): what an account stands at, or one
 * of its limits. Arithmetic is exact. Immutable.
 *
 * @param high the upper 64 bits, two's complement
 * @param low the lower 64 bits, read as unsigned
 */
public record Balance(long high, long low) implements Comparable<Balance> {

  /** Nothing. */
  public static final Balance ZERO = new Balance(0, 0);

  /** 2^127−1. */
  public static final Balance MAX = new Balance(Long.MAX_VALUE, -1L);

  /** −(2^127−1). */
  public static final Balance MIN = new Balance(Long.MIN_VALUE, 1);

  /**
   * Checks the range.
   *
   * @throws MisuseException for −2^127, which is outside it
   */
  public Balance {
    if (high == Long.MIN_VALUE && low == 0) {
      throw new MisuseException("balance", "a balance is within ±(2^127-1)");
    }
  }

  /** A balance of minor units. */
  public static Balance ofMinor(long minorUnits) {
    return minorUnits == 0 ? ZERO : new Balance(minorUnits >> 63, minorUnits);
  }

  /**
   * A balance of minor units.
   *
   * @throws MisuseException if outside ±(2^127−1)
   */
  public static Balance ofMinor(BigInteger minorUnits) {
    Objects.requireNonNull(minorUnits, "minorUnits");
    if (minorUnits.bitLength() > 127) {
      throw new MisuseException("balance", "a balance is within ±(2^127-1) minor units");
    }
    return new Balance(minorUnits.shiftRight(64).longValue(), minorUnits.longValue());
  }

  /** {@code increase − decrease}, which always fits. */
  public static Balance difference(Amount increase, Amount decrease) {
    return new Balance(
        increase.high() - decrease.high() - Int128.borrow(increase.low(), decrease.low()),
        increase.low() - decrease.low());
  }

  /**
   * Reads a decimal in major units, such as {@code 90.00} or {@code -12.5}.
   *
   * @param text as {@link Amount#parse}, with at most one leading {@code -}
   * @throws MisuseException if the text is anything else or out of range; never rounds
   */
  public static Balance parse(String text, Asset asset) {
    return ofMinor(DecimalText.parse("balance", text, asset, true));
  }

  /** The decimal in major units with exactly {@code asset.scale()} digits after the point. */
  public String format(Asset asset) {
    return DecimalText.format(toBigInteger(), asset.scale());
  }

  /** The number of minor units. */
  public BigInteger toBigInteger() {
    return Int128.toBigInteger(high, low);
  }

  /** Whether below zero. */
  public boolean isNegative() {
    return high < 0;
  }

  /** Whether this is {@link #ZERO}. */
  public boolean isZero() {
    return high == 0 && low == 0;
  }

  /**
   * The exact sum.
   *
   * @throws ArithmeticException if it exceeds {@link #MAX}
   */
  public Balance plus(Amount amount) {
    long sumLow = low + amount.low();
    long sumHigh = high + amount.high() + Int128.carry(sumLow, low);
    if (high >= 0 && sumHigh < 0) {
      throw new ArithmeticException("balance above 2^127-1");
    }
    return new Balance(sumHigh, sumLow);
  }

  /**
   * The exact difference.
   *
   * @throws ArithmeticException if it is below {@link #MIN}
   */
  public Balance minus(Amount amount) {
    long differenceLow = low - amount.low();
    long differenceHigh = high - amount.high() - Int128.borrow(low, amount.low());
    if (high < 0
        && (differenceHigh >= 0 || (differenceHigh == Long.MIN_VALUE && differenceLow == 0))) {
      throw new ArithmeticException("balance below -(2^127-1)");
    }
    return new Balance(differenceHigh, differenceLow);
  }

  /** How far this is above {@code floor}: 0 if it is not, and never more than 2^127−1. */
  public Amount excessOver(Balance floor) {
    if (compareTo(floor) <= 0) {
      return Amount.ZERO;
    }
    long excessHigh = high - floor.high - Int128.borrow(low, floor.low);
    return excessHigh < 0 ? Amount.MAX : new Amount(excessHigh, low - floor.low);
  }

  @Override
  public int compareTo(Balance other) {
    return Int128.compare(high, low, other.high, other.low);
  }

  /** The number of minor units in decimal digits, with a leading {@code -} if negative. */
  @Override
  public String toString() {
    return Int128.toString(high, low);
  }
}
