package dev.partita;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whole numbers at and between the places where 128-bit arithmetic goes wrong. */
final class Numbers {

  static final BigInteger MAX = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);

  private static final int RANDOM = 60;

  private Numbers() {}

  /** A fresh seed, or the one to rerun. */
  static long seed() {
    return Long.getLong("partita.seed", System.nanoTime());
  }

  static String rerun(long seed) {
    return "rerun with -Dpartita.seed=" + seed;
  }

  /** 0 … 2^127−1: powers of two and their neighbours, and random ones of every length. */
  static List<BigInteger> amounts(long seed) {
    List<BigInteger> values = new ArrayList<>();
    for (int bits : new int[] {0, 1, 31, 32, 62, 63, 64, 65, 126, 127}) {
      BigInteger power = BigInteger.TWO.pow(bits);
      for (int by = -2; by <= 2; by++) {
        values.add(power.add(BigInteger.valueOf(by)));
      }
    }
    Random random = new Random(seed);
    for (int i = 0; i < RANDOM; i++) {
      values.add(new BigInteger(random.nextInt(128), random));
    }
    return values.stream()
        .filter(value -> value.signum() >= 0 && value.compareTo(MAX) <= 0)
        .distinct()
        .toList();
  }

  /** The same with both signs. */
  static List<BigInteger> balances(long seed) {
    List<BigInteger> values = new ArrayList<>();
    for (BigInteger value : amounts(seed)) {
      values.add(value);
      values.add(value.negate());
    }
    return values.stream().distinct().toList();
  }
}
