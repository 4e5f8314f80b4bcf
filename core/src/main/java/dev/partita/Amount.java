package dev.partita;

import java.math.BigInteger;
import java.util.Objects;

/**
 * How much a transfer moves: a whole number of an asset's minor units, 0 … 2^127−1.
 *
 * <p>An amount does not know its asset; it stands beside one. Arithmetic is exact: what does not
 * fit throws {@link ArithmeticException}, nothing wraps and nothing is rounded. Immutable.
 *
 * @param high the upper 63 bits, never negative
 * @param low the lower 64 bits, read as unsigned
 */
public record Amount(long high, long low) implements Comparable<Amount> {

  /** Nothing. */
  public static final Amount ZERO = new Amount(0, 0);

  /** 2^127−1, the largest amount. */
  public static final Amount MAX = new Amount(Long.MAX_VALUE, -1L);

  /**
   * Checks the range.
   *
   * @throws MisuseException if {@code high} is negative
   */
  public Amount {
    if (high < 0) {
      throw new MisuseException("amount", "an amount is 0 … 2^127-1");
    }
  }

  /**
   * An amount of minor units (cents, satoshi …).
   *
   * @throws MisuseException if negative
   */
  public static Amount ofMinor(long minorUnits) {
    if (minorUnits < 0) {
      throw new MisuseException("amount", "an amount is not negative, was " + minorUnits);
    }
    return minorUnits == 0 ? ZERO : new Amount(0, minorUnits);
  }

  /**
   * An amount of minor units.
   *
   * @throws MisuseException if negative or above 2^127−1
   */
  public static Amount ofMinor(BigInteger minorUnits) {
    Objects.requireNonNull(minorUnits, "minorUnits");
    if (minorUnits.signum() < 0 || minorUnits.bitLength() > 127) {
      throw new MisuseException("amount", "an amount is 0 … 2^127-1 minor units");
    }
    return new Amount(minorUnits.shiftRight(64).longValue(), minorUnits.longValue());
  }

  /**
   * Reads a decimal in major units, such as {@code 90}, {@code 90.0} or {@code 90.00}.
   *
   * @param text {@code [0-9]+} or {@code [0-9]+.[0-9]+}, with at most {@code asset.scale()} digits
   *     after the point
   * @throws MisuseException if the text is anything else or out of range; never rounds
   */
  public static Amount parse(String text, Asset asset) {
    return ofMinor(DecimalText.parse("amount", text, asset, false));
  }

  /** The decimal in major units with exactly {@code asset.scale()} digits after the point. */
  public String format(Asset asset) {
    return DecimalText.format(toBigInteger(), asset.scale());
  }

  /** The number of minor units. */
  public BigInteger toBigInteger() {
    return Int128.toBigInteger(high, low);
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
  public Amount plus(Amount other) {
    long sumLow = low + other.low;
    long sumHigh = high + other.high + Int128.carry(sumLow, low);
    if (sumHigh < 0) {
      throw new ArithmeticException("amount above 2^127-1");
    }
    return new Amount(sumHigh, sumLow);
  }

  /**
   * The exact difference.
   *
   * @throws ArithmeticException if it would be negative
   */
  public Amount minus(Amount other) {
    long differenceHigh = high - other.high - Int128.borrow(low, other.low);
    if (differenceHigh < 0) {
      throw new ArithmeticException("amount below zero");
    }
    return new Amount(differenceHigh, low - other.low);
  }

  /** Whether {@code this + other} exceeds {@link #MAX}. */
  public boolean overflowsWith(Amount other) {
    long sumLow = low + other.low;
    return high + other.high + Int128.carry(sumLow, low) < 0;
  }

  /** The smaller of the two. */
  public Amount min(Amount other) {
    return compareTo(other) <= 0 ? this : other;
  }

  @Override
  public int compareTo(Amount other) {
    return Int128.compare(high, low, other.high, other.low);
  }

  /** The number of minor units in decimal digits. */
  @Override
  public String toString() {
    return Int128.toString(high, low);
  }
}
