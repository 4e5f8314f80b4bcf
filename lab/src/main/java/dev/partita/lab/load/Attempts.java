package dev.partita.lab.load;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many attempts operations took, over all workers of a run. Thread-safe. */
public final class Attempts {

  private final AtomicLongArray operations;

  /** None yet, with at most so many attempts each. */
  public Attempts(int most) {
    this.operations = new AtomicLongArray(most + 1);
  }

  /** Most attempts that an operation can take. */
  public int most() {
    return operations.length() - 1;
  }

  void ended(int attempts) {
    operations.incrementAndGet(attempts);
  }

  /** How many operations ended with their n-th attempt, the first being 1. */
  public long operations(int attempts) {
    return operations.get(attempts);
  }

  /** Attempts for each operation, 1 or more; 0 if there was none. */
  public double mean() {
    long ended = 0;
    long made = 0;
    for (int attempts = 1; attempts <= most(); attempts++) {
      ended += operations.get(attempts);
      made += attempts * operations.get(attempts);
    }
    return ended == 0 ? 0 : (double) made / ended;
  }
}
