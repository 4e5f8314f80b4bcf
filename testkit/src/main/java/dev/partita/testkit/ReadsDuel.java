package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.VerifyReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compares all that an engine can be asked with what the {@link Auditor} expects. */
final class ReadsDuel {

  /** Pages are small and of odd sizes, so that their seams fall everywhere. */
  private static final int PAGE = 17;

  private static final int LARGE_PAGE = 997;

  /** Moments of one account's history that are looked at, each with its two neighbours. */
  private static final int MOMENTS = 3;

  private static final Instant FAR = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final Ledger engine;
  private final AuditorReads auditor;
  private final Instant now;

  ReadsDuel(Ledger engine, AuditorReads auditor, Instant now) {
    this.engine = engine;
    this.auditor = auditor;
    this.now = now;
  }

  void compare() {
    Disagreement.unlessEqual("assets", auditor.assets(), engine.assets());
    accounts();
    for (Account account : auditor.accounts()) {
      changes(account.id());
      statement(account.id());
      history(account);
    }
    journal();
    new FindDuel(engine, auditor).compare();
    trialBalance();
    VerifyReport report = engine.verify(Progress.NONE);
    Disagreement.unlessEqual("violations that verify found", List.of(), report.violations());
  }

  /** All items of all pages. */
  static <T> List<T> all(Function<@Nullable String, Page<T>> read) {
    List<T> items = new ArrayList<>();
    String cursor = null;
    do {
      Page<T> page = read.apply(cursor);
      items.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    return items;
  }

  static void holds(Ledger engine, AuditorReads auditor) {
    List<Hold> found = all(cursor -> engine.holds(HoldQuery.all(PAGE).from(cursor)));
    sameList("holds", auditor.holds(), found);
  }

  static Account withoutClosingTime(Account account) {
    return new Account(
        account.id(),
        account.limits(),
        account.code(),
        account.metadata(),
        account.balance(),
        account.openedAt(),
        account.closedAt() == null ? null : Instant.EPOCH,
        account.lastChange());
  }

  private void accounts() {
    List<Account> found = all(cursor -> engine.accounts(AccountQuery.all(PAGE).from(cursor)));
    sameList(
        "accounts",
        auditor.accounts().stream().map(ReadsDuel::withoutClosingTime).toList(),
        found.stream().map(ReadsDuel::withoutClosingTime).toList());
  }

  private void changes(AccountId id) {
    List<AccountChange> found = all(cursor -> engine.changes(id, cursor, PAGE));
    sameList(
        "changes of " + id,
        auditor.changes(id).stream().map(ReadsDuel::withoutTime).toList(),
        found.stream().map(ReadsDuel::withoutTime).toList());
  }

  private static AccountChange withoutTime(AccountChange change) {
    return new AccountChange(
        change.account(),
        change.number(),
        change.before(),
        change.after(),
        change.afterVersion(),
        Instant.EPOCH,
        change.actor());
  }

  private void statement(AccountId id) {
    List<Entry> expected = auditor.statement(id);
    int limit = expected.size() > 10 * PAGE ? LARGE_PAGE : PAGE;
    sameList(
        "statement of " + id,
        expected,
        all(cursor -> engine.statement(StatementQuery.oldestFirst(id, limit).from(cursor))));
    sameList(
        "statement of " + id + ", newest first",
        expected.reversed(),
        all(cursor -> engine.statement(StatementQuery.newestFirst(id, limit).from(cursor))));
    sameList(
        "transfers found for " + id,
        expected.stream().map(Entry::transfer).toList(),
        all(cursor -> engine.find(TransferQuery.account(id, LARGE_PAGE).from(cursor))));
  }

  /** The balances of an account around some of its records, as recorded and as effective. */
  private void history(Account account) {
    AccountId id = account.id();
    BalanceReading current = engine.balance(id);
    Disagreement.unlessEqual("balance of " + id, auditor.balance(id), current.state());
    Set<Instant> times = new LinkedHashSet<>();
    around(times, account.openedAt());
    around(times, now);
    List<Entry> lines = auditor.statement(id);
    for (int i = 0; i < lines.size(); i += 1 + lines.size() / MOMENTS) {
      around(times, lines.get(i).transfer().recordedAt());
      around(times, lines.get(i).transfer().countsAt());
    }
    for (Instant time : times) {
      String when = " of " + id + " at " + time;
      // The one moment that two rules of reading contradict each other about: see the opening.
      if (lines.isEmpty() && now.isBefore(account.openedAt())) {
        continue;
      }
      sameOutcome(
          "balance as recorded" + when,
          () -> auditor.asRecorded(id, time, now),
          () -> engine.balanceAsRecorded(id, time).state());
      sameOutcome(
          "balance as effective" + when,
          () -> auditor.asEffective(id, time),
          () -> sums(engine.balanceAsEffective(id, time)));
      sameOutcome(
          "balance as effective" + when + ", as known then",
          () -> auditor.asEffective(id, time, time, now),
          () -> sums(engine.balanceAsEffective(id, time, time)));
      sameOutcome(
          "all that counts for " + id + " as known at " + time,
          () -> auditor.asEffective(id, FAR, time, now),
          () -> sums(engine.balanceAsEffective(id, FAR, time)));
    }
  }

  private static void around(Set<Instant> times, Instant time) {
    times.add(time.minus(1, ChronoUnit.MICROS));
    times.add(time);
    times.add(time.plus(1, ChronoUnit.MICROS));
  }

  private static AuditorReads.Effective sums(EffectiveReading reading) {
    return new AuditorReads.Effective(reading.debits(), reading.credits());
  }

  private void journal() {
    List<Transfer> expected = auditor.journal();
    List<Transfer> found = new ArrayList<>();
    String cursor = null;
    Page<Transfer> page;
    do {
      page = engine.journal(cursor, LARGE_PAGE);
      found.addAll(page.items());
      cursor = page.next();
    } while (page.items().size() == LARGE_PAGE);
    sameList("journal", expected, found);
  }

  private void trialBalance() {
    TrialBalance found = engine.trialBalance();
    sameList("trial balance", auditor.trialBalance(), found.lines());
    Disagreement.unlessEqual("trial balance is balanced", true, found.balanced());
  }

  private static void sameOutcome(String what, Supplier<Object> expected, Supplier<Object> found) {
    Disagreement.unlessEqual(what, outcome(expected), outcome(found));
  }

  private static Object outcome(Supplier<Object> read) {
    try {
      return read.get();
    } catch (MisuseException e) {
      return "refused as a question that cannot be answered";
    }
  }

  static <T> void sameList(String what, List<T> expected, List<T> found) {
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      Disagreement.unlessEqual(what + ", line " + i, expected.get(i), found.get(i));
    }
    Disagreement.unlessEqual(what + ", number of lines", expected.size(), found.size());
  }
}
