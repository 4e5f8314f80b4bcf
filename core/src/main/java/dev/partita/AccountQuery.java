package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * Which accounts to list, in the order of their ids. Criteria that are null do not narrow.
 *
 * @param prefix ids that begin with this text, in the alphabet of {@link AccountId}
 * @param asset of this asset
 * @param code with this code
 * @param cursor where to go on, from {@link Page#next}
 * @param limit page size, 1 … 10,000
 */
public record AccountQuery(
    @Nullable String prefix,
    @Nullable AssetCode asset,
    @Nullable Integer code,
    @Nullable String cursor,
    int limit) {

  /** Checks the values. */
  public AccountQuery {
    Page.requireLimit(limit);
    if (prefix != null) {
      requirePrefix(prefix);
    }
    if (code != null) {
      TransferRequest.requireCode(code);
    }
  }

  /** All accounts. */
  public static AccountQuery all(int limit) {
    return new AccountQuery(null, null, null, null, limit);
  }

  /** Accounts whose ids begin with {@code prefix}. */
  public static AccountQuery prefix(String prefix, int limit) {
    return new AccountQuery(prefix, null, null, null, limit);
  }

  /** This query from a cursor on. */
  public AccountQuery from(@Nullable String newCursor) {
    return new AccountQuery(prefix, asset, code, newCursor, limit);
  }

  private static void requirePrefix(String prefix) {
    try {
      new AccountId(prefix.endsWith(":") ? prefix.substring(0, prefix.length() - 1) : prefix);
    } catch (MisuseException e) {
      throw new MisuseException("prefix", "no account id begins like this; " + e.getMessage());
    }
  }
}
