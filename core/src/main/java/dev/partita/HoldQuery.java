package dev.partita;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which open holds to list, in the order in which they were recorded. Criteria that are null do not
 * narrow.
 *
 * @param account on either side of the hold
 * @param asset of this asset
 * @param dueBy with a deadline at or before this instant
 * @param cursor where to go on, from {@link Page#next}
 * @param limit page size, 1 … 10,000
 */
public record HoldQuery(
    @Nullable AccountId account,
    @Nullable AssetCode asset,
    @Nullable Instant dueBy,
    @Nullable String cursor,
    int limit) {

  /** Checks the values. */
  public HoldQuery {
    Page.requireLimit(limit);
  }

  /** All open holds. */
  public static HoldQuery all(int limit) {
    return new HoldQuery(null, null, null, null, limit);
  }

  /** The open holds of an account. */
  public static HoldQuery account(AccountId account, int limit) {
    return new HoldQuery(account, null, null, null, limit);
  }

  /** This query from a cursor on. */
  public HoldQuery from(@Nullable String newCursor) {
    return new HoldQuery(account, asset, dueBy, newCursor, limit);
  }
}
