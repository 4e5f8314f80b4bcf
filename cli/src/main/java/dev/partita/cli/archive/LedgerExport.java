package dev.partita.cli.archive;

import dev.partita.Account;
import dev.partita.AccountBalance;
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
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
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
 * <p>Writers may go on. The file has everything that was recorded when the export began, and ends
 * with the last of it in the journal; every prefix of the journal is a ledger that has existed.
 * What was there is told by the accounts' versions and not by the time: clocks are put back. The
 * accounts are therefore read twice, first for their versions alone. Memory is in proportion to the
 * number of accounts, not of transfers.
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

  /** Versions that every account had at the beginning: all of these must be in the file. */
  private final Map<AccountId, Long> required = new HashMap<>();

  /** How many of them are not in the file yet; every transfer is a version of two accounts. */
  private long versionsMissing;

  /** Versions written so far, of every account that is in the file. */
  private final Map<AccountId, Long> versions = new HashMap<>();

  /** Number of the last change that each account had when it was written. */
  private final Map<AccountId, Long> lastChanges = new HashMap<>();

  /** Versions the ledger had when the accounts were written. */
  private long recordsOfAccounts;

  private final MessageDigest digest = sha256();

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
    write(Lines.header());
    for (Asset asset : ledger.assets()) {
      write(Lines.asset(asset));
      assetCount++;
    }
    eachAccount(this::require);
    eachAccount(this::write);
    writeJournal();
    writeLastChanges();
    ExportCounts counts = new ExportCounts(assetCount, accountCount, changeCount, transferCount);
    out.write(JSON.writeValueAsString(Lines.end(counts, digest.digest())) + '\n');
    // Every record is a version of two accounts.
    return new Result(counts, Math.max(0, recordsOfAccounts / 2 - transferCount));
  }

  private interface AccountStep {
    void take(Account account) throws IOException;
  }

  private void eachAccount(AccountStep step) throws IOException, InterruptedException {
    Page<Account> page = ledger.accounts(AccountQuery.all(PAGE));
    while (true) {
      for (Account account : page.items()) {
        step.take(account);
      }
      if (page.next() == null) {
        return;
      }
      checkInterrupt();
      page = ledger.accounts(AccountQuery.all(PAGE).from(page.next()));
    }
  }

  private void require(Account account) {
    long version = account.balance().version();
    if (version > 0) {
      required.put(account.id(), version);
      versionsMissing += version;
    }
  }

  /**
   * Writes an account that was listed once more after all were listed. A writer may be at work
   * whose records come before the last one required; it has locked its accounts before, so whatever
   * it decides under is seen now.
   */
  private void write(Account account) throws IOException {
    write(Lines.account(asOpened(account), assets.stored(account.asset())));
    versions.put(account.id(), 0L);
    recordsOfAccounts += account.balance().version();
    accountCount++;
  }

  private OpenedAccount asOpened(Account account) {
    AccountTerms terms = new AccountTerms(account.limits(), account.metadata(), account.closed());
    if (account.lastChange() > 0) {
      ChangeQueue queue = new ChangeQueue(ledger, account.id());
      AccountChange first = queue.peek();
      if (first != null) {
        terms = first.before();
        changes.put(account.id(), queue);
        lastChanges.put(account.id(), account.lastChange());
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

  private void writeJournal() throws IOException, InterruptedException {
    String cursor = null;
    long waitingSinceNanos = System.nanoTime();
    while (versionsMissing > 0) {
      Page<Transfer> page = ledger.journal(cursor, PAGE);
      for (Transfer transfer : page.items()) {
        // A cut inside a group would tear it.
        if (versionsMissing == 0 && group.isEmpty()) {
          return;
        }
        add(transfer);
      }
      progress.report(transferCount, recordsOfAccounts / 2);
      if (!page.items().isEmpty()) {
        waitingSinceNanos = System.nanoTime();
      }
      if (page.items().size() < PAGE
          && versionsMissing > 0
          && System.nanoTime() - waitingSinceNanos >= patience.toNanos()) {
        throw new UnavailableException(
            UnavailableException.Reason.CONTENTION,
            UnavailableException.Outcome.NOT_POSTED,
            "a transaction that has posted stays open, so that transfers recorded after it, "
                + (versionsMissing + 1) / 2
                + " or more, are not final; let it end and export again",
            null);
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
      written(member.debitAfter());
      written(member.creditAfter());
      transferCount++;
    }
    group.clear();
  }

  private void written(AccountBalance after) {
    versions.put(after.account(), after.version());
    if (after.version() <= required.getOrDefault(after.account(), 0L)) {
      versionsMissing--;
    }
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

  private void writeLastChanges() throws IOException {
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
          && change.number() <= lastChanges.getOrDefault(entry.getKey(), 0L)) {
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
    String text = JSON.writeValueAsString(line) + '\n';
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    out.write(text);
  }

  /** A sum as the last line states it. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted");
    }
  }
}
