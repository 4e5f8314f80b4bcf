package dev.partita;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded change of an account.
 *
 * @param account the account
 * @param number its place among the account's changes, from 1 without gaps
 * @param before the terms it replaced
 * @param after the terms since
 * @param afterVersion the account's version when it took effect
 * @param recordedAt when
 * @param actor who, or null
 */
public record AccountChange(
    AccountId account,
    long number,
    AccountTerms before,
    AccountTerms after,
    long afterVersion,
    Instant recordedAt,
    @Nullable String actor) {

  /** Checks presence. */
  public AccountChange {
    Objects.requireNonNull(account, "account");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(after, "after");
    Objects.requireNonNull(recordedAt, "recordedAt");
  }
}
