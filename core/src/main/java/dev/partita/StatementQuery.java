package dev.partita;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which page of an account's statement to read.
 *
 * @param account the account
 * @param newestFirst whether from the latest line backwards, else from the first line on
 * @param cursor where to go on, from {@link Page#next}; null: from the start
 * @param limit page size, 1 … 10,000
 */
public record StatementQuery(
    AccountId account, boolean newestFirst, @Nullable String cursor, int limit) {

  /** Checks the values. */
  public StatementQuery {
    Objects.requireNonNull(account, "account");
    Page.requireLimit(limit);
  }

  /** From the first line on. */
  public static StatementQuery oldestFirst(AccountId account, int limit) {
    return new StatementQuery(account, false, null, limit);
  }

  /** From the latest line backwards. */
  public static StatementQuery newestFirst(AccountId account, int limit) {
    return new StatementQuery(account, true, null, limit);
  }

  /** This query from a cursor on. */
  public StatementQuery from(@Nullable String newCursor) {
    return new StatementQuery(account, newestFirst, newCursor, limit);
  }
}
