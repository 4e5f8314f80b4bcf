package dev.partita.lab.workload;

/**
 * A shuffle of the numbers from 0 that needs no memory: a Feistel network over the next even power
 * of two, walked until it lands inside. Immutable.
 */
final class Scatter {

  private static final int ROUNDS = 4;

  private final int size;
  private final int halfBits;
  private final long seed;

  /**
   * A shuffle.
   *
   * @param size how many numbers, 1 or more
   * @param seed the same seed shuffles the same way
   */
  Scatter(int size, long seed) {
    this.size = size;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    this.halfBits = Math.max(1, (bits + 1) / 2);
    this.seed = seed;
  }

  /** Where a number goes; every number goes somewhere else. */
  int at(int number) {
    long place = number;
    do {
      place = network(place);
    } while (place >= size);
    return (int) place;
  }

  private long network(long value) {
    long mask = (1L << halfBits) - 1;
    long left = value >>> halfBits;
    long right = value & mask;
    for (int round = 0; round < ROUNDS; round++) {
      long mixed = left ^ (Mix.of(seed + round, right) & mask);
      left = right;
      right = mixed;
    }
    return (left << halfBits) | right;
  }
}
