package dev.partita;

import java.time.Instant;

/**
 * Where engine time comes from. The ledger reads it once per batch, after the accounts are locked,
 * and cuts it to whole microseconds. Must be safe for use by several threads.
 */
@FunctionalInterface
public interface TimeSource {

  /** The time now. */
  Instant now();
}
