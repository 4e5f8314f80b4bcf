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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads an export back into an empty ledger. All is decided again by the same rules and must come
 * out as it was. An import that was interrupted is simply run again.
 *
 * <p>The file is read twice. Before anything is written, the whole of it must be well formed,
 * complete, as its checksum says, and not of a time that has not come.
 */
public final class LedgerImport {

  private static final int BATCH = 1_000;

  /**
   * How far a recorded time may be ahead of the ledger's clock: clocks of two machines differ a
   * little. What comes from further ahead would hold all later records of its accounts at its time.
   */
  static final Duration AHEAD_MAX = Duration.ofMinutes(1);

  private final Ledger ledger;
  private final Restorable restorable;
  private final String fileName;
  private final Progress progress;
  private final List<OpenedAccount> accounts = new ArrayList<>();
  private final List<Transfer> transfers = new ArrayList<>();

  /** The lines of {@link #transfers}. */
  private final List<Long> transferLines = new ArrayList<>();

  /** Accounts that are in the ledger already and have not been met in the file. */
  private final Set<AccountId> unmet = new HashSet<>();

  private boolean continued;
  private boolean accountsDone;
  private long lineNumber;

  /** Where the file can be read from its beginning, more than once. */
  @FunctionalInterface
  public interface Source {
    /** Begins a reading. */
    BufferedReader open() throws IOException;
  }

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
   * @throws MisuseException naming the line, if the file is malformed, incomplete or changed (then
   *     nothing was written), does not come out as it says, or the ledger has something else
   *     already
   * @throws IOException if the file cannot be read
   * @throws InterruptedException if interrupted; run it again to go on
   */
  public ExportCounts run(Source source) throws IOException, InterruptedException {
    try {
      long lines = check(source);
      return restore(source, lines);
    } catch (MisuseException e) {
      throw new MisuseException(
          "FILE", Text.visible(fileName) + " line " + lineNumber + ": " + e.getMessage());
    }
  }

  /** Reads the whole file and writes nothing; answers the number of lines. */
  private long check(Source source) throws IOException, InterruptedException {
    Instant latest = ledger.trialBalance().takenAt().plus(AHEAD_MAX);
    return read(source, 0, line -> requirePast(line, latest)).lineNumber();
  }

  private static void requirePast(LineParser.Line line, Instant latest) {
    Instant recordedAt =
        switch (line) {
          case LineParser.Line.OfAccount account -> account.account().openedAt();
          case LineParser.Line.OfChange change -> change.change().recordedAt();
          case LineParser.Line.OfTransfer transfer -> transfer.transfer().recordedAt();
          case LineParser.Line.OfAsset asset -> Instant.MIN;
          case LineParser.Line.OfEnd end -> Instant.MIN;
        };
    if (recordedAt.isAfter(latest)) {
      throw new MisuseException(
          "recordedAt",
          recordedAt
              + " has not come yet: the clock of this ledger's database is at "
              + latest.minus(AHEAD_MAX)
              + "; set it right, or import later");
    }
  }

  private ExportCounts restore(Source source, long lines) throws IOException, InterruptedException {
    rememberAccounts();
    ExportCounts counts = read(source, lines, this::take).counts();
    flushAll();
    return counts;
  }

  private ArchiveReader read(Source source, long lines, Consumer<LineParser.Line> step)
      throws IOException, InterruptedException {
    try (BufferedReader in = source.open()) {
      ArchiveReader reader = new ArchiveReader(in);
      for (LineParser.Line line = next(reader); line != null; line = next(reader)) {
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted; import again to go on");
        }
        step.accept(line);
        progress.report(lineNumber, lines);
      }
      return reader;
    }
  }

  private LineParser.@Nullable Line next(ArchiveReader reader) throws IOException {
    try {
      return reader.next();
    } finally {
      lineNumber = reader.lineNumber();
    }
  }

  private void take(LineParser.Line line) {
    switch (line) {
      case LineParser.Line.OfAsset asset -> register(asset.asset());
      case LineParser.Line.OfAccount account -> open(account.account());
      case LineParser.Line.OfChange change -> {
        flushAll();
        restorable.restoreChange(change.change());
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
  }

  private void open(OpenedAccount account) {
    accounts.add(account);
    unmet.remove(account.account().id());
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
}
