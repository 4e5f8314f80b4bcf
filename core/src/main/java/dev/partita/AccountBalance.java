package dev.partita;

import java.util.Objects;

/**
 * Where an account stands after one of its records.
 *
 * @param account the account
 * @param asset its asset
 * @param normal its normal side, which decides the sign of {@link #balance()}
 * @param version how many records were applied to the account
 * @param counters its totals
 */
public record AccountBalance(
    AccountId account, AssetCode asset, Side normal, long version, Counters counters) {

  /** Checks presence. */
  public AccountBalance {
    Objects.requireNonNull(account, "account");
    Objects.requireNonNull(asset, "asset");
    Objects.requireNonNull(normal, "normal");
    Objects.requireNonNull(counters, "counters");
    if (version < 0) {
      throw new MisuseException("version", "must not be negative, was " + version);
    }
  }

  /** Posted on the normal side less posted on the other. */
  public Balance balance() {
    return Balance.difference(counters.posted(normal), counters.posted(normal.opposite()));
  }

  /** Pending on the side that lowers the balance: reserved by open holds. */
  public Amount held() {
    return counters.pending(normal.opposite());
  }

  /** Pending on the side that raises the balance. */
  public Amount expected() {
    return counters.pending(normal);
  }

  /** Balance less what is held. */
  public Balance spendable() {
    return balance().minus(held());
  }

  /** Balance and what is expected. */
  public Balance reach() {
    return balance().plus(expected());
  }

  /**
   * How much may still move on {@code side} within the limits, each taken as zero if absent; never
   * negative, at most 2^127−1.
   */
  public Amount room(Side side, Limits limits) {
    if (side != normal) {
      Balance floor = limits.minBalance();
      return spendable().excessOver(floor == null ? Balance.ZERO : floor);
    }
    Balance ceiling = limits.maxBalance();
    return (ceiling == null ? Balance.ZERO : ceiling).excessOver(reach());
  }
}
