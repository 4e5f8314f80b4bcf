package dev.partita;

import java.math.BigInteger;

/** Arithmetic shared by the two 128-bit values: a signed high word and an unsigned low word. */
final class Int128 {

  private static final BigInteger LOW_MASK =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

  private Int128() {}

  static long carry(long sumLow, long termLow) {
    return Long.compareUnsigned(sumLow, termLow) < 0 ? 1 : 0;
  }

  static long borrow(long fromLow, long takeLow) {
    return Long.compareUnsigned(fromLow, takeLow) < 0 ? 1 : 0;
  }

  static int compare(long highA, long lowA, long highB, long lowB) {
    int byHigh = Long.compare(highA, highB);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(lowA, lowB);
  }

  static BigInteger toBigInteger(long high, long low) {
    if (isLong(high, low)) {
      return BigInteger.valueOf(low);
    }
    return BigInteger.valueOf(high).shiftLeft(Long.SIZE).or(BigInteger.valueOf(low).and(LOW_MASK));
  }

  static String toString(long high, long low) {
    return isLong(high, low) ? Long.toString(low) : toBigInteger(high, low).toString();
  }

  private static boolean isLong(long high, long low) {
    return high == low >> 63;
  }
}
