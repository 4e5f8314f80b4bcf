package dev.partita.postgres;

import dev.partita.AccountId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of accounts that lanes have seen in committed rows; absence is never remembered. A number
 * is only a shortcut: the statement that uses it answers the id too, and a mismatch (after a
 * restore a number may be another account) drops it. Bounded; safe for use by several threads.
 */
final class AccountNumbers {

  private static final int ENTRIES_MAX = 200_000;

  /** Least recently used first. */
  private final Map<AccountId, Integer> numbers = new LinkedHashMap<>(1_024, 0.75f, true);

  synchronized @Nullable Integer find(AccountId id) {
    return numbers.get(id);
  }

  synchronized void remember(AccountId id, int no) {
    numbers.put(id, no);
    if (numbers.size() > ENTRIES_MAX) {
      numbers.remove(numbers.keySet().iterator().next());
    }
  }

  synchronized void forget(AccountId id) {
    numbers.remove(id);
  }

  synchronized void clear() {
    numbers.clear();
  }
}
