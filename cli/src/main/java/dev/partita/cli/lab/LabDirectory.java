package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.cli.connect.Target;
import dev.partita.embedded.Login;
import dev.partita.lab.report.HtmlReport;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.report.TextReport;
import dev.partita.lab.result.Run;
import dev.partita.lab.run.LabDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Where one result is written. */
public final class LabDirectory {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;

  private LabDirectory(Path directory) {
    this.directory = directory;
  }

  /** A new one, named after the time and the experiment; made now, so that it can be written to. */
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
  public void write(Run run) {
    RunJson.write(run, directory.resolve("run.json"));
    try {
      Files.writeString(report(), HtmlReport.of(run));
      Files.writeString(directory.resolve("run.txt"), TextReport.of(run));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the empty directory away again: there is no result. */
  public void discard() {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Not empty after all: then something in it may be of use.
      return;
    }
  }

  /** The report for people. */
  public Path report() {
    return directory.resolve("report.html");
  }
}
