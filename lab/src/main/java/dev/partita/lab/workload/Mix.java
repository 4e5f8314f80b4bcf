package dev.partita.lab.workload;

/** Makes one seed of two numbers, so that streams of chance are not one another's continuation. */
final class Mix {

  private Mix() {}

  /** Both numbers, mixed by the finalizer of MurmurHash3's 64-bit variant, twice. */
  static long of(long seed, long number) {
    return finish(finish(seed) + number);
  }

  private static long finish(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
