package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.HistoryChangedException;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.LedgerEvent;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.StatementQuery;
import dev.partita.TimeSource;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.UnknownAccountException;
import dev.partita.VerifyReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The auditor dressed up as an engine, so that the suite can be tried on it, and so that tests can
 * plant faults in an engine. Every call takes the one lock.
 */
final class AuditorLedger implements Ledger {

  private final Auditor auditor;
  private final List<LedgerEvent> history;
  private final TimeSource clock;
  private boolean closed;

  AuditorLedger(TimeSource clock) {
    this(clock, new Auditor());
  }

  AuditorLedger(TimeSource clock, Auditor auditor) {
    this(clock, auditor, new ArrayList<>());
  }

  private AuditorLedger(TimeSource clock, Auditor auditor, List<LedgerEvent> history) {
    this.clock = clock;
    this.auditor = auditor;
    this.history = history;
  }

  /** The same books, opened again. */
  AuditorLedger reopened(TimeSource newClock) {
    return new AuditorLedger(newClock, auditor, history);
  }

  @Override
  public synchronized List<RegisterResult> register(List<Asset> assets) {
    requireOpen();
    return auditor.register(assets);
  }

  @Override
  public synchronized List<OpenResult> open(List<NewAccount> accounts) {
    requireOpen();
    if (accounts.size() > 10_000) {
      throw new MisuseException("accounts", "at most 10,000 at a time");
    }
    List<OpenResult> results = auditor.open(accounts, clock.now());
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i).status() == OpenResult.Status.CREATED) {
        NewAccount opened = accounts.get(i);
        Instant at = auditor.reads().account(opened.id()).orElseThrow().openedAt();
        history.add(new LedgerEvent.AccountOpened("", opened, at));
      }
    }
    return results;
  }

  @Override
  public synchronized ChangeResult change(ChangeRequest change) {
    requireOpen();
    ChangeResult result = auditor.change(change, clock.now());
    if (result.status() == ChangeResult.Status.CHANGED) {
      AccountChange recorded = auditor.reads().changes(change.account()).getLast();
      history.add(new LedgerEvent.AccountChanged("", recorded, result.account().asset()));
    }
    return result;
  }

  @Override
  public synchronized PostResult post(PostRequest request) {
    requireOpen();
    int before = auditor.reads().journal().size();
    PostResult result = auditor.post(request, clock.now());
    addTransfers(before);
    return result;
  }

  @Override
  public CompletionStage<PostResult> submit(PostRequest request) {
    return CompletableFuture.supplyAsync(() -> post(request));
  }

  @Override
  public synchronized List<Transfer> expireDue(int limit) {
    requireOpen();
    int before = auditor.reads().journal().size();
    List<Transfer> expired = auditor.expireDue(Page.requireLimit(limit), clock.now());
    addTransfers(before);
    return expired;
  }

  @Override
  public synchronized List<Asset> assets() {
    requireOpen();
    return auditor.reads().assets();
  }

  @Override
  public synchronized Optional<Account> account(AccountId id) {
    requireOpen();
    return auditor.reads().account(id);
  }

  @Override
  public synchronized Page<Account> accounts(AccountQuery query) {
    requireOpen();
    List<Account> accounts =
        auditor.reads().accounts().stream().filter(a -> FindDuel.meets(a, query)).toList();
    String of = "accounts " + query.prefix() + " " + query.asset() + " " + query.code();
    return page(of, accounts, a -> a.id().value(), query.cursor(), query.limit());
  }

  @Override
  public synchronized Page<AccountChange> changes(
      AccountId account, @Nullable String cursor, int limit) {
    requireOpen();
    return page(
        "changes " + account,
        auditor.reads().changes(account),
        c -> Long.toString(c.number()),
        cursor,
        Page.requireLimit(limit));
  }

  @Override
  public synchronized BalanceReading balance(AccountId account) {
    requireOpen();
    return new BalanceReading(auditor.reads().balance(account), settledUntil());
  }

  @Override
  public synchronized BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt) {
    requireOpen();
    return new BalanceReading(
        auditor.reads().asRecorded(account, recordedAt, clock.now()), settledUntil());
  }

  @Override
  public synchronized EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt) {
    requireOpen();
    return reading(account, auditor.reads().asEffective(account, effectiveAt));
  }

  @Override
  public synchronized EffectiveReading balanceAsEffective(
      AccountId account, Instant effectiveAt, Instant knownAt) {
    requireOpen();
    return reading(
        account, auditor.reads().asEffective(account, effectiveAt, knownAt, clock.now()));
  }

  private EffectiveReading reading(AccountId id, AuditorReads.Effective effective) {
    Account account = auditor.reads().account(id).orElseThrow();
    return new EffectiveReading(
        id,
        account.asset(),
        account.normal(),
        effective.debits(),
        effective.credits(),
        settledUntil());
  }

  private Instant settledUntil() {
    return clock.now().minus(1, ChronoUnit.MICROS);
  }

  @Override
  public synchronized Page<Entry> statement(StatementQuery query) {
    requireOpen();
    List<Entry> lines = auditor.reads().statement(query.account());
    return page(
        "statement " + query.account() + " " + query.newestFirst(),
        query.newestFirst() ? lines.reversed() : lines,
        line -> Long.toString(line.version()),
        query.cursor(),
        query.limit());
  }

  @Override
  public synchronized List<Transfer> transfers(List<UUID> ids) {
    requireOpen();
    if (ids.size() > 10_000) {
      throw new MisuseException("ids", "at most 10,000 at a time");
    }
    return ids.stream().flatMap(id -> auditor.reads().transfer(id).stream()).toList();
  }

  @Override
  public synchronized Page<Transfer> find(TransferQuery query) {
    requireOpen();
    requireKnown(query.account());
    List<Transfer> found =
        auditor.reads().journal().stream().filter(t -> FindDuel.meets(t, query)).toList();
    String of =
        new TransferQuery(
                query.reference(),
                query.groupId(),
                query.relatedId(),
                query.account(),
                query.code(),
                query.from(),
                query.to(),
                null,
                1)
            .toString();
    return page(of, found, t -> t.id().toString(), query.cursor(), query.limit());
  }

  @Override
  public synchronized Page<Hold> holds(HoldQuery query) {
    requireOpen();
    requireKnown(query.account());
    List<Hold> found =
        auditor.reads().holds().stream().filter(hold -> FindDuel.meets(hold, query)).toList();
    String of = "holds " + query.account() + " " + query.asset() + " " + query.dueBy();
    // A hold that has gone may be where a page ended, so the place is one of the whole journal.
    List<Transfer> journal = auditor.reads().journal();
    return page(
        of,
        found,
        hold -> String.format("%09d", journal.indexOf(hold.transfer())),
        query.cursor(),
        query.limit());
  }

  private void requireKnown(@Nullable AccountId account) {
    if (account != null && auditor.reads().account(account).isEmpty()) {
      throw new UnknownAccountException(account);
    }
  }

  @Override
  public synchronized Page<Transfer> journal(@Nullable String cursor, int limit) {
    requireOpen();
    List<Transfer> journal = auditor.reads().journal();
    int from = cursor == null ? 0 : Integer.parseInt(placeIn("journal", cursor));
    int to = Math.min(journal.size(), from + Page.requireLimit(limit));
    return new Page<>(journal.subList(from, to), cursor("journal", Integer.toString(to)));
  }

  private void addTransfers(int before) {
    List<Transfer> journal = auditor.reads().journal();
    for (Transfer transfer : journal.subList(before, journal.size())) {
      history.add(new LedgerEvent.TransferRecorded("", transfer));
    }
  }

  @Override
  public synchronized Page<LedgerEvent> feed(@Nullable String cursor, int limit) {
    requireOpen();
    Page.requireLimit(limit);
    int from = 0;
    if (cursor != null) {
      String[] place = placeIn("feed", cursor).split(" ", -1);
      from = Integer.parseInt(place[0]);
      if (from > history.size() || (from > 0 && !history.get(from - 1).id().equals(place[1]))) {
        throw new HistoryChangedException("another history");
      }
    }
    List<LedgerEvent> page = new ArrayList<>();
    for (int i = from; i < Math.min(history.size(), from + limit); i++) {
      page.add(history.get(i).at(cursorAfter(i + 1)));
    }
    return new Page<>(page, cursorAfter(from + page.size()));
  }

  private String cursorAfter(int count) {
    return cursor("feed", count + " " + (count == 0 ? "" : history.get(count - 1).id()));
  }

  @Override
  public synchronized TrialBalance trialBalance() {
    requireOpen();
    return new TrialBalance(auditor.reads().trialBalance(), Auditor.micros(clock.now()));
  }

  @Override
  public synchronized VerifyReport verify(Progress progress) {
    requireOpen();
    int records = auditor.reads().journal().size();
    progress.report(records, records);
    return new VerifyReport(
        "record " + records, auditor.reads().accounts().size(), records, List.of());
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new UnavailableException(
          UnavailableException.Reason.CLOSED,
          UnavailableException.Outcome.NOT_POSTED,
          "this ledger is closed",
          null);
    }
  }

  private static <T> Page<T> page(
      String of, List<T> all, Function<T, String> key, @Nullable String cursor, int limit) {
    int from = 0;
    if (cursor != null) {
      String place = placeIn(of, cursor);
      // What ended the page may be gone, or be a number that is not ordered as text.
      while (from < all.size() && !key.apply(all.get(from)).equals(place)) {
        if (of.startsWith("holds") && key.apply(all.get(from)).compareTo(place) > 0) {
          from--;
          break;
        }
        from++;
      }
      from = Math.min(from + 1, all.size());
    }
    int to = Math.min(all.size(), from + limit);
    String next = to < all.size() ? cursor(of, key.apply(all.get(to - 1))) : null;
    return new Page<>(all.subList(from, to), next);
  }

  /** The question, the last place shown, and a check sum that shows tampering. */
  private static String cursor(String of, String place) {
    return String.join("\n", of, place, Integer.toHexString((of + place).hashCode()));
  }

  private static String placeIn(String of, String cursor) {
    String[] parts = cursor.split("\n", -1);
    if (parts.length != 3 || !parts[0].equals(of) || !cursor(of, parts[1]).equals(cursor)) {
      throw new MisuseException("cursor", "made by another question");
    }
    return parts[1];
  }
}
