package dev.partita.postgres;

import java.util.Random;

/** Randomness that can be had again: the seed is printed, and taken from {@code partita.seed}. */
final class Seeds {

  private Seeds() {}

  static Random random() {
    long seed = Long.getLong("partita.seed", System.nanoTime());
    System.out.println("seed: -Dpartita.seed=" + seed);
    return new Random(seed);
  }
}
