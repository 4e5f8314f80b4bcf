package dev.partita.lab.workload;

import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;

/** Picks accounts by number. For one thread. */
@FunctionalInterface
public interface Picker {

  /** The next account, from 0. */
  int next(SplittableRandom random);

  /** Always the same one. */
  static Picker one(int account) {
    return random -> account;
  }

  /** Every account of a range alike; {@code end} is the first one that is not meant. */
  static Picker uniform(int begin, int end) {
    return random -> random.nextInt(begin, end);
  }

  /**
   * Some far more often than others: account {@code begin} most of all, by Zipf's law.
   *
   * @param exponent 0 is uniform; the larger, the more uneven
   */
  static Picker zipf(int begin, int end, double exponent) {
    return new Picker() {
      private SplittableRandom random = new SplittableRandom(0);
      private final SharedStateDiscreteSampler sampler =
          RejectionInversionZipfSampler.of(() -> random.nextLong(), end - begin, exponent);

      @Override
      public int next(SplittableRandom source) {
        random = source;
        return begin + sampler.sample() - 1;
      }
    };
  }
}
