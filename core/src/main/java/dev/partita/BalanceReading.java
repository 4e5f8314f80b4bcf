package dev.partita;

import java.time.Instant;
import java.util.Objects;

/**
 * An account's state at a moment of engine time.
 *
 * @param state where the account stood
 * @param settledUntil as-recorded reads of this account at or before this instant are final
 */
public record BalanceReading(AccountBalance state, Instant settledUntil) {

  /** Checks presence. */
  public BalanceReading {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(settledUntil, "settledUntil");
  }

  /** The balance. */
  public Balance balance() {
    return state.balance();
  }
}
