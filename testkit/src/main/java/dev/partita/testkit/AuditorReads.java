package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.MisuseException;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TrialBalance;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What an {@link Auditor} expects every question to be answered with. Whole answers: paging is the
 * engines' business. Not safe for use by several threads.
 */
public final class AuditorReads {

  private final AuditorBooks books;

  AuditorReads(AuditorBooks books) {
    this.books = books;
  }

  /** Debits and credits that count, posted only. */
  public record Effective(Amount debits, Amount credits) {}

  /** All assets in order of their codes. */
  public List<Asset> assets() {
    return books.registered();
  }

  /** An account, if there is one. */
  public Optional<Account> account(AccountId id) {
    return books.find(id).map(AuditedAccount::view);
  }

  /** All accounts in order of their ids. */
  public List<Account> accounts() {
    return books.opened().stream().map(AuditedAccount::view).toList();
  }

  /** The changes of an account in order of their numbers. */
  public List<AccountChange> changes(AccountId id) {
    return List.copyOf(books.require(id).changes);
  }

  /** Where an account stands now. */
  public AccountBalance balance(AccountId id) {
    return books.require(id).state();
  }

  /** Where an account stood at an instant, as recorded. */
  public AccountBalance asRecorded(AccountId id, Instant at, Instant now) {
    AuditedAccount account = books.require(id);
    return account.stateAfter(linesKnownAt(account, at, now).size());
  }

  /** What counts for an account at an instant, as known now. */
  public Effective asEffective(AccountId id, Instant at) {
    AuditedAccount account = books.require(id);
    return effective(account, account.lines, at);
  }

  /** What counted for an account at an instant, as known at another. */
  public Effective asEffective(AccountId id, Instant at, Instant knownAt, Instant now) {
    AuditedAccount account = books.require(id);
    return effective(account, linesKnownAt(account, knownAt, now), at);
  }

  private static List<Transfer> linesKnownAt(AuditedAccount account, Instant at, Instant now) {
    if (at.isBefore(account.openedAt)) {
      throw new MisuseException("recordedAt", at + " is before the account was opened");
    }
    boolean afterLast = account.lines.isEmpty() || at.isAfter(account.lines.getLast().recordedAt());
    if (at.isAfter(Auditor.micros(now)) && afterLast) {
      throw new MisuseException("recordedAt", at + " has not come yet");
    }
    return account.lines.stream().filter(line -> !line.recordedAt().isAfter(at)).toList();
  }

  private static Effective effective(AuditedAccount account, List<Transfer> lines, Instant at) {
    BigInteger debits = BigInteger.ZERO;
    BigInteger credits = BigInteger.ZERO;
    for (Transfer line : lines) {
      if (!line.movesPosted() || line.countsAt().isAfter(at)) {
        continue;
      }
      if (account.sideIn(line) == Side.DEBIT) {
        debits = debits.add(line.amount().toBigInteger());
      } else {
        credits = credits.add(line.amount().toBigInteger());
      }
    }
    return new Effective(Amount.ofMinor(debits), Amount.ofMinor(credits));
  }

  /** An account's whole statement, first line first. */
  public List<Entry> statement(AccountId id) {
    AuditedAccount account = books.require(id);
    return account.lines.stream().map(line -> new Entry(line, account.sideIn(line))).toList();
  }

  /** A record, if there is one. */
  public Optional<Transfer> transfer(UUID id) {
    return Optional.ofNullable(books.stored(id));
  }

  /** All records in the order of recording. */
  public List<Transfer> journal() {
    return books.records();
  }

  /** All open holds in the order of recording. */
  public List<Hold> holds() {
    List<Hold> holds = new ArrayList<>();
    for (Transfer transfer : books.records()) {
      if (transfer.kind() == TransferKind.PENDING && books.endOf(transfer) == null) {
        holds.add(new Hold(transfer, Amount.ofMinor(books.remaining(transfer))));
      }
    }
    return holds;
  }

  /** The lines of the trial balance. */
  public List<TrialBalance.Line> trialBalance() {
    List<TrialBalance.Line> lines = new ArrayList<>();
    for (AuditedAccount account : books.opened()) {
      int at = 0;
      while (at < lines.size() && !isLineOf(lines.get(at), account)) {
        at++;
      }
      TrialBalance.Line own = lineOf(account);
      if (at == lines.size()) {
        lines.add(own);
      } else {
        lines.set(at, sum(lines.get(at), own));
      }
    }
    lines.sort(
        Comparator.comparing(TrialBalance.Line::asset)
            .thenComparingInt(TrialBalance.Line::code)
            .thenComparing(TrialBalance.Line::normal));
    return lines;
  }

  private static boolean isLineOf(TrialBalance.Line line, AuditedAccount account) {
    return line.asset().equals(account.opened.asset())
        && line.code() == account.opened.code()
        && line.normal() == account.opened.normal();
  }

  private static TrialBalance.Line lineOf(AuditedAccount account) {
    return new TrialBalance.Line(
        account.opened.asset(),
        account.opened.code(),
        account.opened.normal(),
        1,
        account.posted(Side.DEBIT),
        account.posted(Side.CREDIT),
        account.pending(Side.DEBIT),
        account.pending(Side.CREDIT));
  }

  private static TrialBalance.Line sum(TrialBalance.Line a, TrialBalance.Line b) {
    return new TrialBalance.Line(
        a.asset(),
        a.code(),
        a.normal(),
        a.accounts() + b.accounts(),
        a.debitsPosted().add(b.debitsPosted()),
        a.creditsPosted().add(b.creditsPosted()),
        a.debitsPending().add(b.debitsPending()),
        a.creditsPending().add(b.creditsPending()));
  }
}
