package dev.partita.testkit;

import dev.partita.Ledger;
import dev.partita.TimeSource;

/**
 * How the suite gets at an engine. One instance serves a whole test class; calls come from one
 * thread at a time.
 */
public interface LedgerUnderTest {

  /**
   * Opens a fresh, empty ledger that takes its engine time from {@code clock}. Several may be open
   * at once; they must not know of each other.
   */
  Ledger open(TimeSource clock);

  /**
   * Whether what a ledger recorded outlives its closing, so that {@link #reopen} makes sense.
   * Everything that speaks of restarts is skipped for an engine that answers false.
   */
  default boolean durable() {
    return false;
  }

  /**
   * Opens again, on the same stored data, a ledger that {@link #open} or this method gave out and
   * that has been closed since.
   */
  default Ledger reopen(Ledger closed, TimeSource clock) {
    throw new UnsupportedOperationException("this engine keeps nothing");
  }

  /**
   * Lets go of a ledger that the suite is done with, and of its stored data. It may be closed
   * already.
   */
  default void dispose(Ledger ledger) {
    ledger.close();
  }
}
