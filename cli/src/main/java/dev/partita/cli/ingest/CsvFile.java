package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records of comma-separated values as RFC 4180 has them, each with the line it begins on. What
 * cannot be cut into records with certainty (an open quote, text after a closing quote) ends the
 * reading with an error: guessing where the next record begins could move money.
 */
final class CsvFile implements AutoCloseable {

  /** More than any valid row: metadata, reference and ids at their longest, all quoted. */
  static final int RECORD_CHARACTERS_MAX = 1 << 17;

  /**
   * A record.
   *
   * @param line the line it begins on, from 1
   * @param values its values
   */
  record Line(long line, List<String> values) {}

  private final InputFile file;
  private final BoundedReader bounded;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;

  CsvFile(InputFile file, char delimiter) {
    this.file = file;
    this.bounded = new BoundedReader(file.reader());
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(delimiter)
            .setIgnoreEmptyLines(true)
            .setTrailingData(false)
            .setLenientEof(false)
            .get();
    try {
      this.parser = format.parse(bounded);
    } catch (IOException e) {
      throw InputFile.unreadable(file.name(), e);
    }
    this.records = parser.iterator();
  }

  /**
   * The next record, or null at the end.
   *
   * @throws MisuseException if the file cannot be read on
   */
  @Nullable Line next() {
    bounded.beginRecord();
    long begunAfter = parser.getCurrentLineNumber();
    try {
      if (!records.hasNext()) {
        return null;
      }
      CSVRecord record = records.next();
      return new Line(beginning(record, begunAfter), List.of(record.values()));
    } catch (UncheckedIOException e) {
      throw unreadable(begunAfter + 1, Objects.requireNonNull(e.getCause()));
    }
  }

  String name() {
    return file.name();
  }

  /** The record ends on the current line; quoted line breaks inside it take lines of their own. */
  private long beginning(CSVRecord record, long begunAfter) {
    long inside = 0;
    for (String value : record) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        boolean pair = c == '\r' && i + 1 < value.length() && value.charAt(i + 1) == '\n';
        if (c == '\n' || (c == '\r' && !pair)) {
          inside++;
        }
      }
    }
    return Math.max(begunAfter + 1, parser.getCurrentLineNumber() - inside);
  }

  private MisuseException unreadable(long line, IOException e) {
    String where = Text.visible(file.name()) + " line " + line;
    if (e instanceof CSVException) {
      return new MisuseException(
          "FILE",
          where
              + ": quotes are wrong here, so that nobody can tell where the row ends; a value with"
              + " quotes is written \"like \"\"this\"\"\"");
    }
    if (e instanceof RecordTooLongException) {
      return new MisuseException(
          "FILE",
          where
              + ": a row of more than "
              + RECORD_CHARACTERS_MAX
              + " characters; a closing quote is missing somewhere");
    }
    return InputFile.unreadable(where, e);
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw InputFile.unreadable(file.name(), e);
    }
  }

  private static final class RecordTooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** Ends a record that grows without end, before it fills the memory. */
  private static final class BoundedReader extends FilterReader {
    /** The parser reads ahead by this much at most. */
    private static final int READ_AHEAD = 1 << 13;

    private long characters;

    BoundedReader(Reader in) {
      super(in);
    }

    void beginRecord() {
      characters = 0;
    }

    @Override
    public int read() throws IOException {
      int c = super.read();
      count(c < 0 ? 0 : 1);
      return c;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, Math.min(length, READ_AHEAD));
      count(Math.max(0, count));
      return count;
    }

    private void count(int more) throws IOException {
      characters += more;
      if (characters > RECORD_CHARACTERS_MAX + READ_AHEAD) {
        throw new RecordTooLongException();
      }
    }
  }
}
