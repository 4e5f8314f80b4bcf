package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * The limits of an account's balance in the account's own sign; null is no limit. "Debits must not
 * exceed credits" is a CREDIT-normal account with a minimum of zero.
 *
 * @param minBalance lowest spendable balance a transfer may leave
 * @param maxBalance highest reach (balance and what is expected) a transfer may lead to
 */
public record Limits(@Nullable Balance minBalance, @Nullable Balance maxBalance) {

  /** No limits. */
  public static final Limits NONE = new Limits(null, null);

  /** No overdraft: a minimum of zero. */
  public static final Limits NOT_NEGATIVE = new Limits(Balance.ZERO, null);

  /** Whether the minimum is above the maximum, which no account may have. */
  public boolean crossed() {
    return minBalance != null && maxBalance != null && minBalance.compareTo(maxBalance) > 0;
  }
}
