package dev.partita.lab.arrival;

import java.util.SplittableRandom;

/**
 * When operations are meant to begin, as nanoseconds after the start of the run, never falling. The
 * same seed makes the same schedule. For one thread.
 */
public interface Arrivals {

  /** When the next operation is meant to begin. */
  long nextNanos();

  /** What a report says of it. */
  String describe();

  /**
   * Evenly spaced.
   *
   * @param rate operations a second, more than 0
   */
  static Arrivals constant(double rate) {
    return new Arrivals() {
      private long count;

      @Override
      public long nextNanos() {
        // From the count, so that no rounding adds up.
        return (long) (count++ * 1e9 / rate);
      }

      @Override
      public String describe() {
        return "constant arrivals";
      }
    };
  }

  /**
   * As if from very many independent callers: exponential gaps.
   *
   * @param rate operations a second on average, more than 0
   */
  static Arrivals poisson(double rate, long seed) {
    return new Arrivals() {
      private final SplittableRandom random = new SplittableRandom(seed);
      private double at;

      @Override
      public long nextNanos() {
        at += -Math.log1p(-random.nextDouble()) * 1e9 / rate;
        return (long) at;
      }

      @Override
      public String describe() {
        return "Poisson arrivals";
      }
    };
  }
}
