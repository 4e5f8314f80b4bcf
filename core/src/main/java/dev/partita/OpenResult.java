package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * What became of one account to open.
 *
 * @param id the account
 * @param status the answer
 * @param field for {@link Status#EXISTS_DIFFERENT} the first that differs: {@code asset}, {@code
 *     normal} or {@code code}; otherwise null
 */
public record OpenResult(AccountId id, Status status, @Nullable String field) {

  /** The answers to opening an account. */
  public enum Status {
    /** Opened now. */
    CREATED,
    /** Opened before with the same asset, normal side and code. */
    EXISTS,
    /** Opened before with another asset, normal side or code. */
    EXISTS_DIFFERENT,
    /** Its asset is not registered. */
    UNKNOWN_ASSET
  }
}
