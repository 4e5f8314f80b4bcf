package dev.partita.memory;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.ChangeRequest;
import dev.partita.MisuseException;
import dev.partita.Transfer;
import dev.partita.rules.AccountRules;
import dev.partita.rules.Draft;
import dev.partita.rules.Restorable.OpenedAccount;
import dev.partita.rules.Restoration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes back what another ledger exported. Each call does all or nothing. Guarded by the ledger's
 * lock.
 */
final class MemoryRestore {

  private MemoryRestore() {}

  static void accounts(MemoryBooks books, List<OpenedAccount> accounts) {
    Map<AccountId, OpenedAccount> added = new LinkedHashMap<>();
    for (OpenedAccount wanted : List.copyOf(accounts)) {
      requireMicros("openedAt", wanted.openedAt());
      MemoryAccount existing = books.find(wanted.account().id());
      OpenedAccount stored =
          existing == null
              ? added.putIfAbsent(wanted.account().id(), wanted)
              : new OpenedAccount(existing.opened(), existing.openedAt());
      if (stored != null && !stored.equals(wanted)) {
        throw new MisuseException(
            "account", wanted + " is here already with other content: " + stored);
      }
      if (!books.hasAsset(wanted.account().asset())) {
        throw new MisuseException(
            "asset", wanted.account().asset() + " is not registered; register it first");
      }
    }
    for (OpenedAccount account : added.values()) {
      books.open(account.account(), account.openedAt());
    }
  }

  static void change(MemoryBooks books, AccountChange change) {
    requireMicros("recordedAt", change.recordedAt());
    MemoryAccount account = books.require(change.account());
    List<AccountChange> known = account.changes();
    if (change.number() >= 1 && change.number() <= known.size()) {
      AccountChange stored = known.get((int) change.number() - 1);
      if (!stored.equals(change)) {
        throw new MisuseException(
            "change", change + " is here already with other content: " + stored);
      }
      return;
    }
    Account view = account.view();
    if (change.number() != known.size() + 1L || change.afterVersion() != view.balance().version()) {
      throw new MisuseException(
          "change",
          change
              + " does not follow: the account is at change "
              + known.size()
              + " and version "
              + view.balance().version());
    }
    AccountChange decided =
        AccountRules.change(request(change), view, account.lastTouchedAt(), change.recordedAt())
            .change();
    if (!change.equals(decided)) {
      throw new MisuseException("change", change + " does not come out as recorded: " + decided);
    }
    books.change(account, change);
  }

  private static ChangeRequest request(AccountChange change) {
    ChangeRequest request =
        ChangeRequest.of(change.account())
            .minBalance(change.after().limits().minBalance())
            .maxBalance(change.after().limits().maxBalance())
            .metadata(change.after().metadata());
    request = change.after().closed() ? request.close() : request.reopen();
    return change.actor() == null ? request : request.actor(change.actor());
  }

  static void transfers(MemoryBooks books, List<Transfer> records) {
    Draft draft = new Draft(books);
    for (Restoration part : Restoration.of(List.copyOf(records))) {
      for (Transfer record : part.expected()) {
        requireMicros("recordedAt", record.recordedAt());
      }
      part.decide(draft);
    }
    books.record(draft.records());
  }

  private static void requireMicros(String field, Instant instant) {
    if (!instant.equals(instant.truncatedTo(ChronoUnit.MICROS))) {
      throw new MisuseException(field, instant + " is not a whole number of microseconds");
    }
  }
}
