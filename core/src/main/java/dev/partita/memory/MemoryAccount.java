package dev.partita.memory;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Counters;
import dev.partita.Entry;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.rules.AccountState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as its records tell it: how it was opened, its lines, its changes. Everything else is
 * derived from these when asked for, so that nothing can contradict them. Guarded by the ledger's
 * lock.
 */
final class MemoryAccount {

  private final NewAccount opened;
  private final Instant openedAt;
  private final List<Transfer> journal;
  private final List<Integer> lines = new ArrayList<>();
  private final List<AccountChange> changes = new ArrayList<>();

  MemoryAccount(NewAccount opened, Instant openedAt, List<Transfer> journal) {
    this.opened = opened;
    this.openedAt = openedAt;
    this.journal = journal;
  }

  AccountId id() {
    return opened.id();
  }

  /** With the terms of the day it was opened. */
  NewAccount opened() {
    return opened;
  }

  Instant openedAt() {
    return openedAt;
  }

  void addLine(int position) {
    lines.add(position);
  }

  void addChange(AccountChange change) {
    changes.add(change);
  }

  /** Positions in the journal, by version. */
  List<Integer> lines() {
    return Collections.unmodifiableList(lines);
  }

  List<AccountChange> changes() {
    return Collections.unmodifiableList(changes);
  }

  int version() {
    return lines.size();
  }

  Entry line(int version) {
    Transfer transfer = journal.get(lines.get(version - 1));
    return new Entry(transfer, transfer.debit().equals(id()) ? Side.DEBIT : Side.CREDIT);
  }

  AccountBalance balanceAfter(int version) {
    return version == 0
        ? new AccountBalance(id(), opened.asset(), opened.normal(), 0, Counters.ZERO)
        : line(version).after();
  }

  /** The version of the last line recorded at or before an instant; lines never go back in time. */
  int versionAt(Instant recordedAt) {
    int known = 0;
    int unknown = lines.size() + 1;
    while (unknown - known > 1) {
      int middle = (known + unknown) >>> 1;
      if (line(middle).transfer().recordedAt().isAfter(recordedAt)) {
        unknown = middle;
      } else {
        known = middle;
      }
    }
    return known;
  }

  @Nullable Instant lastRecordedAt() {
    return lines.isEmpty() ? null : line(lines.size()).transfer().recordedAt();
  }

  /** The latest of its last record's and its last change's time, or null. */
  @Nullable Instant lastTouchedAt() {
    Instant recorded = lastRecordedAt();
    if (changes.isEmpty()) {
      return recorded;
    }
    Instant changed = changes.getLast().recordedAt();
    return recorded == null || recorded.isBefore(changed) ? changed : recorded;
  }

  Account view() {
    AccountTerms terms = terms();
    return new Account(
        id(),
        terms.limits(),
        opened.code(),
        terms.metadata(),
        balanceAfter(version()),
        openedAt,
        closedAt(),
        changes.size());
  }

  AccountState state() {
    AccountTerms terms = terms();
    return new AccountState(
        balanceAfter(version()), terms.limits(), terms.closed(), openedAt, lastRecordedAt());
  }

  private AccountTerms terms() {
    return changes.isEmpty()
        ? new AccountTerms(opened.limits(), opened.metadata(), false)
        : changes.getLast().after();
  }

  private @Nullable Instant closedAt() {
    if (!terms().closed()) {
      return null;
    }
    int closing = changes.size() - 1;
    while (changes.get(closing).before().closed()) {
      closing--;
    }
    return changes.get(closing).recordedAt();
  }
}
