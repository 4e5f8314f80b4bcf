package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/** A file of all rows that were not taken: line, status, detail. */
public final class RejectsFile implements AutoCloseable {

  private final String name;
  private final CSVPrinter printer;

  private RejectsFile(String name, CSVPrinter printer) {
    this.name = name;
    this.printer = printer;
  }

  /**
   * Creates the file, or none for null.
   *
   * @throws MisuseException if it is there already or cannot be created
   */
  public static @Nullable RejectsFile create(String option, @Nullable String name) {
    if (name == null) {
      return null;
    }
    try {
      return new RejectsFile(
          name,
          new CSVPrinter(
              Files.newBufferedWriter(
                  Path.of(name), StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW),
              CSVFormat.RFC4180.builder().setHeader("line", "status", "detail").get()));
    } catch (FileAlreadyExistsException e) {
      throw new MisuseException(
          option, Text.visible(name) + " is there already; move it, or name another file");
    } catch (IOException | InvalidPathException e) {
      throw new MisuseException(
          option, "cannot create " + Text.quote(name) + ": " + e.getMessage());
    }
  }

  /** Writes a row that was not taken. */
  public void write(Tally.Rejection rejection) {
    try {
      printer.printRecord(rejection.line(), rejection.status(), rejection.detail());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  @Override
  public void close() {
    try {
      printer.close();
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private MisuseException unwritable(IOException e) {
    return new MisuseException("--rejects", "cannot write " + name + ": " + e.getMessage());
  }
}
