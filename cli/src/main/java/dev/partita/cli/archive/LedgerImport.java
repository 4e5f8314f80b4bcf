package dev.partita.cli.archive;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.GroupRef;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.Transfer;
import dev.partita.cli.output.Text;
import dev.partita.rules.Restorable;
import dev.partita.rules.Restorable.OpenedAccount;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an export back into an empty ledger. All is decided again by the same rules and must come
 * out as it was. An import that was interrupted is simply run again.
 */
public final class LedgerImport {

  private static final int BATCH = 1_000;

  /** More than any record: an account change with the largest metadata twice, all escaped. */
  private static final int LINE_CHARACTERS_MAX = 1 << 20;

  private final Ledger ledger;
  private final Restorable restorable;
  private final String fileName;
  private final Progress progress;
  private final LineParser parser = new LineParser();
  private final List<OpenedAccount> accounts = new ArrayList<>();
  private final List<Transfer> transfers = new ArrayList<>();

  /** The lines of {@link #transfers}. */
  private final List<Long> transferLines = new ArrayList<>();

  /** Accounts that are in the ledger already and have not been met in the file. */
  private final Set<AccountId> unmet = new HashSet<>();

  /** Accounts of the file. */
  private final Set<AccountId> met = new HashSet<>();

  private boolean continued;
  private boolean accountsDone;
  private long lineNumber;
  private long assetCount;
  private long accountCount;
  private long changeCount;
  private long transferCount;

  /** Reads into this ledger. */
  public LedgerImport(Ledger ledger, Restorable restorable, String fileName, Progress progress) {
    this.ledger = ledger;
    this.restorable = restorable;
    this.fileName = fileName;
    this.progress = progress;
  }

  /**
   * Reads everything.
   *
   * @throws MisuseException naming the line, if the file is malformed or incomplete, or the ledger
   *     has something else already
   * @throws IOException if the file cannot be read
   * @throws InterruptedException if interrupted; run it again to go on
   */
  public ExportCounts run(BufferedReader in) throws IOException, InterruptedException {
    try {
      return read(in);
    } catch (MisuseException e) {
      throw new MisuseException(
          "FILE", Text.visible(fileName) + " line " + lineNumber + ": " + e.getMessage());
    }
  }

  private ExportCounts read(BufferedReader in) throws IOException, InterruptedException {
    lineNumber = 1;
    String first = readLine(in);
    if (first == null) {
      throw new MisuseException("the file is empty");
    }
    LineParser.header(first);
    rememberAccounts();
    for (String text = readLine(in); text != null; text = readLine(in)) {
      lineNumber++;
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted; import again to go on");
      }
      LineParser.Line line = parser.line(text);
      if (line instanceof LineParser.Line.OfEnd end) {
        flushAll();
        requireEnd(end.counts(), readLine(in));
        return end.counts();
      }
      take(line);
      progress.report(lineNumber, 0);
    }
    flushAll();
    throw new MisuseException("the file ends here without its last line; it was cut off");
  }

  private void take(LineParser.Line line) {
    switch (line) {
      case LineParser.Line.OfAsset asset -> register(asset.asset());
      case LineParser.Line.OfAccount account -> open(account.account());
      case LineParser.Line.OfChange change -> {
        flushAll();
        restorable.restoreChange(change.change());
        changeCount++;
      }
      case LineParser.Line.OfTransfer transfer -> add(transfer.transfer());
      case LineParser.Line.OfEnd end -> throw new IllegalStateException("ends the reading");
    }
  }

  private void register(Asset asset) {
    RegisterResult result = ledger.register(List.of(asset)).getFirst();
    if (result.status() == RegisterResult.Status.EXISTS_DIFFERENT) {
      throw new MisuseException(
          asset.code()
              + " has scale "
              + result.asset().scale()
              + " in this ledger; import into an empty one");
    }
    assetCount++;
  }

  private void open(OpenedAccount account) {
    if (accountsDone) {
      throw new MisuseException("accounts stand before changes and transfers");
    }
    if (!met.add(account.account().id())) {
      throw new MisuseException("account", account.account().id() + " is there twice");
    }
    accounts.add(account);
    unmet.remove(account.account().id());
    accountCount++;
    // Before something is written to a ledger that is not empty, all accounts must be known.
    if (!continued && accounts.size() >= BATCH) {
      flushAccounts();
    }
  }

  private void add(Transfer transfer) {
    finishAccounts();
    if (transfers.size() >= BATCH && !isInsideGroup(transfer)) {
      flushTransfers();
    }
    transfers.add(transfer);
    transferLines.add(lineNumber);
    transferCount++;
  }

  private void flushAll() {
    finishAccounts();
    flushTransfers();
  }

  private void finishAccounts() {
    if (accountsDone) {
      return;
    }
    if (!unmet.isEmpty()) {
      throw new MisuseException(
          "this ledger has accounts that the export does not have, for example "
              + unmet.iterator().next()
              + "; import into an empty ledger");
    }
    flushAccounts();
    accountsDone = true;
  }

  private void flushAccounts() {
    for (int from = 0; from < accounts.size(); from += BATCH) {
      restorable.restoreAccounts(
          List.copyOf(accounts.subList(from, Math.min(accounts.size(), from + BATCH))));
    }
    accounts.clear();
  }

  private void flushTransfers() {
    if (!transfers.isEmpty()) {
      try {
        restorable.restoreTransfers(List.copyOf(transfers));
      } catch (MisuseException e) {
        restoreOneByOne();
        throw e;
      }
      transfers.clear();
      transferLines.clear();
    }
  }

  /** Finds the line that is wrong. What stands before it is right, and may be recorded. */
  private void restoreOneByOne() {
    long lastLine = lineNumber;
    int to;
    for (int from = 0; from < transfers.size(); from = to) {
      to = from + 1;
      while (to < transfers.size() && isInsideGroup(transfers.get(to))) {
        to++;
      }
      lineNumber = transferLines.get(from);
      restorable.restoreTransfers(List.copyOf(transfers.subList(from, to)));
    }
    lineNumber = lastLine;
  }

  private static boolean isInsideGroup(Transfer transfer) {
    GroupRef group = transfer.group();
    return group != null && group.index() > 0;
  }

  private void rememberAccounts() {
    Page<Account> page = ledger.accounts(AccountQuery.all(BATCH));
    while (true) {
      page.items().forEach(account -> unmet.add(account.id()));
      if (page.next() == null) {
        break;
      }
      page = ledger.accounts(AccountQuery.all(BATCH).from(page.next()));
    }
    continued = !unmet.isEmpty();
  }

  private void requireEnd(ExportCounts stated, @Nullable String more) {
    ExportCounts counted = new ExportCounts(assetCount, accountCount, changeCount, transferCount);
    if (!stated.equals(counted)) {
      throw new MisuseException(
          "the file says it has " + stated + ", but it has " + counted + "; lines are missing");
    }
    if (more != null) {
      lineNumber++;
      throw new MisuseException("nothing may follow the last line");
    }
  }

  private static @Nullable String readLine(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        return line.isEmpty() ? null : line.toString();
      }
      line.append((char) c);
      if (line.length() > LINE_CHARACTERS_MAX) {
        throw new MisuseException("the line is longer than any record can be");
      }
    }
    return line.toString();
  }
}
