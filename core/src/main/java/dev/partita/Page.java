package dev.partita;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of an answer.
 *
 * @param items what is on it
 * @param next where the next page begins, to be passed back as it is; null on the last page. It
 *     survives restarts and belongs to the query that made it: in another query, or changed, it is
 *     a {@link MisuseException}
 */
public record Page<T>(List<T> items, @Nullable String next) {

  /** Most items of a page. */
  public static final int LIMIT_MAX = 10_000;

  /** Takes a copy. */
  public Page {
    items = List.copyOf(items);
  }

  /**
   * Checks a page size.
   *
   * @throws MisuseException unless 1 … 10,000
   */
  public static int requireLimit(int limit) {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new MisuseException("limit", "must be 1 … 10000, was " + limit);
    }
    return limit;
  }
}
