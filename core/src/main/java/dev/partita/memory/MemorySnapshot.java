package dev.partita.memory;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.Hold;
import dev.partita.NewAccount;
import dev.partita.Transfer;
import java.time.Instant;
import java.util.List;

/**
 * All that the ledger shows at one moment, for {@link MemoryVerifier} to compare.
 *
 * @param journal every record in the order of recording
 * @param accounts every account
 * @param openHolds the holds shown as open, in the order of recording
 */
record MemorySnapshot(List<Transfer> journal, List<Shown> accounts, List<Hold> openHolds) {

  MemorySnapshot {
    journal = List.copyOf(journal);
    accounts = List.copyOf(accounts);
    openHolds = List.copyOf(openHolds);
  }

  /**
   * An account.
   *
   * @param opened its terms on the day it was opened
   * @param openedAt when
   * @param now as it is shown now
   * @param changes its changes by number
   * @param lines positions of its lines in the journal by version
   */
  record Shown(
      NewAccount opened,
      Instant openedAt,
      Account now,
      List<AccountChange> changes,
      List<Integer> lines) {

    Shown {
      changes = List.copyOf(changes);
      lines = List.copyOf(lines);
    }
  }

  /** Taken under the ledger's lock. */
  static MemorySnapshot of(MemoryBooks books) {
    return new MemorySnapshot(
        books.journal(),
        books.accounts().values().stream()
            .map(
                account ->
                    new Shown(
                        account.opened(),
                        account.openedAt(),
                        account.view(),
                        account.changes(),
                        account.lines()))
            .toList(),
        books.openHolds(0).keySet().stream().map(books::openHold).toList());
  }
}
