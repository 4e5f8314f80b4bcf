package dev.partita.cli.archive;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.GroupRef;
import dev.partita.Ledger;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.UnavailableException;
import dev.partita.cli.input.Assets;
import dev.partita.rules.Restorable.OpenedAccount;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a whole ledger as lines, see docs/export-format.md.
 *
 * <p>Writers may go on: the file ends with the first record made after the export began, and every
 * prefix of the journal is a ledger that has existed. Memory is in proportion to the number of
 * accounts, not of transfers.
 */
public final class LedgerExport {

  private static final int PAGE = 1_000;

  /** How long a record that is there may have to wait before it is final. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Ledger ledger;
  private final Assets assets;
  private final Writer out;
  private final Progress progress;
  private final Duration patience;

  /** Versions written so far, of every account that is in the file. */
  private final Map<AccountId, Long> versions = new HashMap<>();

  /** Versions the ledger had when the account was written. */
  private long recordsOfAccounts;

  private final Map<AccountId, ChangeQueue> changes = new TreeMap<>();
  private final List<Transfer> group = new ArrayList<>();
  private long assetCount;
  private long accountCount;
  private long changeCount;
  private long transferCount;

  /** Writes a ledger to {@code out}. */
  public LedgerExport(Ledger ledger, Writer out, Progress progress) {
    this(ledger, out, progress, PATIENCE);
  }

  LedgerExport(Ledger ledger, Writer out, Progress progress, Duration patience) {
    this.patience = patience;
    this.ledger = ledger;
    this.assets = new Assets(ledger);
    this.out = out;
    this.progress = progress;
  }

  /**
   * What was written.
   *
   * @param counts records in the file
   * @param notIncluded records that the ledger has besides, made meanwhile
   */
  public record Result(ExportCounts counts, long notIncluded) {}

  /**
   * Writes everything.
   *
   * @throws IOException if it cannot be written
   * @throws InterruptedException if interrupted
   * @throws UnavailableException if a transaction that has posted stays open, and records that are
   *     there are not final because of it: without them the file would be no copy of the ledger
   */
  public Result run() throws IOException, InterruptedException {
    Instant begunAt = ledger.trialBalance().takenAt();
    write(Lines.header());
    for (Asset asset : ledger.assets()) {
      write(Lines.asset(asset));
      assetCount++;
    }
    writeAccounts(begunAt);
    writeJournal(begunAt);
    writeLastChanges(begunAt);
    ExportCounts counts = new ExportCounts(assetCount, accountCount, changeCount, transferCount);
    write(Lines.end(counts));
    // Every record is a version of two accounts.
    return new Result(counts, Math.max(0, recordsOfAccounts / 2 - transferCount));
  }

  private void writeAccounts(Instant begunAt) throws IOException, InterruptedException {
    Page<Account> page = ledger.accounts(AccountQuery.all(PAGE));
    while (true) {
      for (Account account : page.items()) {
        if (!account.openedAt().isAfter(begunAt)) {
          write(Lines.account(asOpened(account), assets.stored(account.asset())));
          versions.put(account.id(), 0L);
          recordsOfAccounts += account.balance().version();
          accountCount++;
        }
      }
      if (page.next() == null) {
        return;
      }
      checkInterrupt();
      page = ledger.accounts(AccountQuery.all(PAGE).from(page.next()));
    }
  }

  private OpenedAccount asOpened(Account account) {
    AccountTerms terms = new AccountTerms(account.limits(), account.metadata(), account.closed());
    if (account.lastChange() > 0) {
      ChangeQueue queue = new ChangeQueue(ledger, account.id());
      AccountChange first = queue.peek();
      if (first != null) {
        terms = first.before();
        changes.put(account.id(), queue);
      }
    }
    return new OpenedAccount(
        new NewAccount(
            account.id(),
            account.asset(),
            account.normal(),
            terms.limits(),
            account.code(),
            terms.metadata()),
        account.openedAt());
  }

  private void writeJournal(Instant begunAt) throws IOException, InterruptedException {
    String cursor = null;
    long waitingSinceNanos = System.nanoTime();
    while (true) {
      Page<Transfer> page = ledger.journal(cursor, PAGE);
      for (Transfer transfer : page.items()) {
        // A cut inside a group would tear it.
        if (transfer.recordedAt().isAfter(begunAt) && group.isEmpty()) {
          return;
        }
        add(transfer);
      }
      progress.report(transferCount, recordsOfAccounts / 2);
      if (!page.items().isEmpty()) {
        waitingSinceNanos = System.nanoTime();
      }
      if (page.items().size() < PAGE) {
        // Less than was there at the beginning: the rest is not final yet. Every version is counted
        // on two accounts.
        if (transferCount >= recordsOfAccounts / 2) {
          return;
        }
        if (System.nanoTime() - waitingSinceNanos >= patience.toNanos()) {
          throw new UnavailableException(
              UnavailableException.Reason.CONTENTION,
              UnavailableException.Outcome.NOT_POSTED,
              "a transaction that has posted stays open, so that "
                  + (recordsOfAccounts / 2 - transferCount)
                  + " later transfers are not final; let it end and export again",
              null);
        }
      }
      checkInterrupt();
      cursor = page.next();
    }
  }

  private void add(Transfer transfer) throws IOException {
    GroupRef place = transfer.group();
    group.add(transfer);
    if (place != null && place.index() + 1 < place.size()) {
      return;
    }
    for (Transfer member : group) {
      writeChangesBefore(member, Side.DEBIT);
      writeChangesBefore(member, Side.CREDIT);
    }
    for (Transfer member : group) {
      write(Lines.transfer(member, assets.stored(member.asset())));
      versions.put(member.debit(), member.debitAfter().version());
      versions.put(member.credit(), member.creditAfter().version());
      transferCount++;
    }
    group.clear();
  }

  /** A change stands before the first record that was decided under it. */
  private void writeChangesBefore(Transfer transfer, Side side) throws IOException {
    ChangeQueue queue = changes.get(transfer.after(side).account());
    if (queue == null) {
      return;
    }
    long version = transfer.after(side).version();
    for (AccountChange change = queue.peek();
        change != null && change.afterVersion() < version;
        change = queue.peek()) {
      write(change, transfer.after(side).asset());
      queue.remove();
    }
  }

  private void writeLastChanges(Instant begunAt) throws IOException {
    for (Map.Entry<AccountId, ChangeQueue> entry : changes.entrySet()) {
      long version = versions.getOrDefault(entry.getKey(), 0L);
      ChangeQueue queue = entry.getValue();
      AccountChange change = queue.peek();
      if (change == null) {
        continue;
      }
      Account account = ledger.account(entry.getKey()).orElseThrow();
      while (change != null
          && change.afterVersion() <= version
          && !change.recordedAt().isAfter(begunAt)) {
        write(change, account.asset());
        queue.remove();
        change = queue.peek();
      }
    }
  }

  private void write(AccountChange change, dev.partita.AssetCode asset) throws IOException {
    write(Lines.change(change, assets.stored(asset)));
    changeCount++;
  }

  private void write(ObjectNode line) throws IOException {
    out.write(JSON.writeValueAsString(line));
    out.write('\n');
  }

  private static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted");
    }
  }
}
