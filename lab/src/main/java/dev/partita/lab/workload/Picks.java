package dev.partita.lab.workload;

import dev.partita.MisuseException;

/** Which accounts pay and which are paid. Immutable. */
public sealed interface Picks {

  /** Every account alike, on both sides. */
  record Uniform() implements Picks {}

  /** Account 0 is paid by all the others, each alike: a fee account. */
  record HotSide() implements Picks {}

  /**
   * A few accounts alike on both sides, and the others never.
   *
   * @param size how many, 2 or more, scattered over all numbers
   */
  record Pool(int size) implements Picks {

    /** Checks the size. */
    public Pool {
      if (size < 2) {
        throw new MisuseException("pool", "must have 2 accounts or more, was " + size);
      }
    }
  }

  /**
   * Some accounts far more often than others, on both sides, by Zipf's law over all accounts. Ranks
   * are scattered over the numbers: popular accounts are no neighbours in a table.
   *
   * @param exponent 0 is uniform; the larger, the more uneven; at most 10
   */
  record Zipf(double exponent) implements Picks {

    /** Checks the exponent. */
    public Zipf {
      if (!(exponent >= 0 && exponent <= 10)) {
        throw new MisuseException("exponent", "must be 0 to 10, was " + exponent);
      }
    }
  }
}
