package dev.partita.cli.archive;

import dev.partita.AccountId;
import dev.partita.MisuseException;
import dev.partita.cli.archive.LineParser.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an export in order, counted and summed, and compared with what the last one says.
 */
final class ArchiveReader {

  /** More than any record: an account change with the largest metadata twice, all escaped. */
  private static final int LINE_CHARACTERS_MAX = 1 << 20;

  private final BufferedReader in;
  private final LineParser parser = new LineParser();
  private final MessageDigest digest = LedgerExport.sha256();
  private final Set<AccountId> met = new HashSet<>();
  private long lineNumber;
  private long assets;
  private long accounts;
  private long changes;
  private long transfers;

  ArchiveReader(BufferedReader in) {
    this.in = in;
  }

  /** The line read last, from 1; where to look if something is wrong. */
  long lineNumber() {
    return Math.max(1, lineNumber);
  }

  /** What was read so far. */
  ExportCounts counts() {
    return new ExportCounts(assets, accounts, changes, transfers);
  }

  /** The next record; null after the last line, which was compared with all above it. */
  @Nullable Line next() throws IOException {
    if (lineNumber == 0) {
      readHeader();
    }
    String text = readLine();
    if (text == null) {
      throw new MisuseException("the file ends here without its last line; it was cut off");
    }
    Line line = parser.line(text);
    if (line instanceof Line.OfEnd end) {
      requireEnd(end);
      return null;
    }
    sum(text);
    count(line);
    return line;
  }

  private void readHeader() throws IOException {
    String text = readLine();
    if (text == null) {
      throw new MisuseException("the file is empty");
    }
    LineParser.header(text);
    sum(text);
  }

  private void count(Line line) {
    switch (line) {
      case Line.OfAsset asset -> assets++;
      case Line.OfAccount account -> {
        AccountId id = account.account().account().id();
        if (changes + transfers > 0) {
          throw new MisuseException("accounts stand before changes and transfers");
        }
        if (!met.add(id)) {
          throw new MisuseException("account", id + " is there twice");
        }
        accounts++;
      }
      case Line.OfChange change -> changes++;
      case Line.OfTransfer transfer -> transfers++;
      case Line.OfEnd end -> throw new IllegalStateException("ends the reading");
    }
  }

  private void requireEnd(Line.OfEnd stated) throws IOException {
    ExportCounts counted = counts();
    if (!stated.counts().equals(counted)) {
      throw new MisuseException(
          "the file says it has "
              + stated.counts()
              + ", but it has "
              + counted
              + "; lines are missing");
    }
    String sum = HexFormat.of().formatHex(digest.digest());
    if (!stated.sha256().equals(sum)) {
      throw new MisuseException(
          "sha256",
          "the lines above this one are not those that were exported: their SHA-256 is "
              + sum
              + ", not the one stated here; take another copy of the file");
    }
    if (readLine() != null) {
      throw new MisuseException("nothing may follow the last line");
    }
  }

  private void sum(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
  }

  private @Nullable String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    if (c >= 0) {
      lineNumber++;
    }
    for (; c != '\n'; c = in.read()) {
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
