package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.Transfer;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as the {@link Auditor} keeps it: how it was opened, every change, every line. Its
 * state is always read off the last line, so that taking lines back takes the state back.
 */
final class AuditedAccount {

  final NewAccount opened;
  final Instant openedAt;
  final List<AccountChange> changes = new ArrayList<>();
  final List<Transfer> lines = new ArrayList<>();

  AuditedAccount(NewAccount opened, Instant openedAt) {
    this.opened = opened;
    this.openedAt = openedAt;
  }

  AccountTerms terms() {
    return changes.isEmpty()
        ? new AccountTerms(opened.limits(), opened.metadata(), false)
        : changes.getLast().after();
  }

  boolean closed() {
    return terms().closed();
  }

  @Nullable Instant closedAt() {
    Instant at = null;
    for (AccountChange change : changes) {
      if (!change.after().closed()) {
        at = null;
      } else if (!change.before().closed()) {
        at = change.recordedAt();
      }
    }
    return at;
  }

  /** The side of this account that a transfer of its statement moved. */
  Side sideIn(Transfer line) {
    return line.debit().equals(opened.id()) ? Side.DEBIT : Side.CREDIT;
  }

  AccountBalance state() {
    return stateAfter(lines.size());
  }

  AccountBalance stateAfter(int version) {
    if (version == 0) {
      return new AccountBalance(opened.id(), opened.asset(), opened.normal(), 0, Counters.ZERO);
    }
    Transfer line = lines.get(version - 1);
    return line.after(sideIn(line));
  }

  BigInteger posted(Side side) {
    return state().counters().posted(side).toBigInteger();
  }

  BigInteger pending(Side side) {
    return state().counters().pending(side).toBigInteger();
  }

  private BigInteger balance() {
    return posted(opened.normal()).subtract(posted(opened.normal().opposite()));
  }

  /** The side that lowers the balance. */
  Side out() {
    return opened.normal().opposite();
  }

  BigInteger spendable() {
    return balance().subtract(pending(out()));
  }

  BigInteger reach() {
    return balance().add(pending(opened.normal()));
  }

  BigInteger room(Side side) {
    BigInteger room =
        side == out()
            ? spendable().subtract(orZero(terms().limits().minBalance()))
            : orZero(terms().limits().maxBalance()).subtract(reach());
    return room.max(BigInteger.ZERO).min(Auditor.MAX);
  }

  /** Where the account would stand with these changes of one side's counters. */
  AccountBalance moved(Side side, BigInteger postedBy, BigInteger pendingBy) {
    Counters counters =
        state()
            .counters()
            .with(
                side,
                Amount.ofMinor(posted(side).add(postedBy)),
                Amount.ofMinor(pending(side).add(pendingBy)));
    return new AccountBalance(
        opened.id(), opened.asset(), opened.normal(), lines.size() + 1L, counters);
  }

  /** No new record may carry an earlier time than this. */
  Instant latest() {
    return lines.isEmpty() ? openedAt : later(openedAt, lines.getLast().recordedAt());
  }

  Account view() {
    return new Account(
        opened.id(),
        terms().limits(),
        opened.code(),
        terms().metadata(),
        state(),
        openedAt,
        closedAt(),
        changes.size());
  }

  static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static BigInteger orZero(@Nullable Balance limit) {
    return limit == null ? BigInteger.ZERO : limit.toBigInteger();
  }
}
