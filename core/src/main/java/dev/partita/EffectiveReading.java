package dev.partita;

import java.time.Instant;
import java.util.Objects;

/**
 * What counts for an account at an effective instant, posted only.
 *
 * @param account the account
 * @param asset its asset
 * @param normal its normal side
 * @param debits sum of what it was debited
 * @param credits sum of what it was credited
 * @param settledUntil the records known at or before this instant are final
 */
public record EffectiveReading(
    AccountId account,
    AssetCode asset,
    Side normal,
    Amount debits,
    Amount credits,
    Instant settledUntil) {

  /** Checks presence. */
  public EffectiveReading {
    Objects.requireNonNull(account, "account");
    Objects.requireNonNull(asset, "asset");
    Objects.requireNonNull(normal, "normal");
    Objects.requireNonNull(debits, "debits");
    Objects.requireNonNull(credits, "credits");
    Objects.requireNonNull(settledUntil, "settledUntil");
  }

  /** Credits less debits in the account's own sign. */
  public Balance balance() {
    return normal == Side.CREDIT
        ? Balance.difference(credits, debits)
        : Balance.difference(debits, credits);
  }
}
