package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** A file of all rows that were not taken: line, status, detail. */
public final class RejectsFile implements AutoCloseable {

  private final String name;
  private final Writer writer;

  private RejectsFile(String name, Writer writer) {
    this.name = name;
    this.writer = writer;
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
      RejectsFile file =
          new RejectsFile(
              name,
              Files.newBufferedWriter(
                  Path.of(name), StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW));
      file.line("line", "status", "detail");
      return file;
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
      line(rejection.line(), rejection.status(), rejection.detail());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private void line(Object... values) throws IOException {
    writer.write(CSVFormat.RFC4180.format(values));
    writer.write("\r\n");
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private MisuseException unwritable(IOException e) {
    return new MisuseException("--rejects", "cannot write " + name + ": " + e.getMessage());
  }
}
