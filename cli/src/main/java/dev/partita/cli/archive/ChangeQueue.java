package dev.partita.cli.archive;

import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.Ledger;
import dev.partita.Page;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The changes of one account in order, read as they are needed. */
final class ChangeQueue {

  private static final int PAGE = 20;

  private final Ledger ledger;
  private final AccountId account;
  private final Deque<AccountChange> loaded = new ArrayDeque<>();
  private @Nullable String cursor;
  private boolean exhausted;

  ChangeQueue(Ledger ledger, AccountId account) {
    this.ledger = ledger;
    this.account = account;
  }

  /** The next change, or null after the last. */
  @Nullable AccountChange peek() {
    if (loaded.isEmpty() && !exhausted) {
      Page<AccountChange> page = ledger.changes(account, cursor, PAGE);
      loaded.addAll(page.items());
      cursor = page.next();
      exhausted = cursor == null;
    }
    return loaded.peek();
  }

  /** Goes on to the one after. */
  void remove() {
    loaded.remove();
  }
}
