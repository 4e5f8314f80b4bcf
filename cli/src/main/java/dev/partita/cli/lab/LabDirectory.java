package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.lab.report.HtmlReport;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.report.TextReport;
import dev.partita.lab.result.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Where one result is written. */
public final class LabDirectory {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int COLUMNS = 100;

  private final Path directory;

  private LabDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * A new one, named after the time and the experiment. Made at once: that it cannot be written to
   * is better known before a long run than after it.
   */
  public static LabDirectory in(String parent, String experiment) {
    try {
      Path directory =
          Path.of(parent)
              .resolve(STAMP.format(Instant.now()) + "-" + experiment.toLowerCase(Locale.ROOT));
      Files.createDirectories(directory);
      return new LabDirectory(directory);
    } catch (InvalidPathException e) {
      throw new MisuseException("--results", "cannot be a directory: " + e.getReason());
    } catch (IOException e) {
      throw new MisuseException("--results", "cannot be made: " + e);
    }
  }

  /** Writes the report in all its forms. */
  public void write(Run run) throws IOException {
    RunJson.write(run, file("run.json"));
    HtmlReport.write(run, report());
    Files.writeString(file("run.txt"), TextReport.of(run, report().toString(), COLUMNS));
  }

  /** Removes it if nothing was written: there is no result. */
  public void discardIfEmpty() throws IOException {
    try (var files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        return;
      }
    }
    Files.delete(directory);
  }

  /** A file in it. */
  public Path file(String name) {
    return directory.resolve(name);
  }

  /** The report for people. */
  public Path report() {
    return file("report.html");
  }
}
