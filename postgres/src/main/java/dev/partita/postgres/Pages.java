package dev.partita.postgres;

import dev.partita.Page;
import dev.partita.rules.Cursor;
import java.util.List;
import java.util.function.Function;

/** Cuts pages out of answers. */
final class Pages {

  private Pages() {}

  /**
   * A page of at most {@code limit} of the items.
   *
   * @param items up to one more than fits, which is where the next page begins
   */
  static <T> Page<T> of(
      List<T> items, int limit, Function<? super T, Cursor.Position> place, Cursor cursor) {
    return items.size() <= limit
        ? new Page<>(items, null)
        : new Page<>(items.subList(0, limit), cursor.write(place.apply(items.get(limit))));
  }
}
