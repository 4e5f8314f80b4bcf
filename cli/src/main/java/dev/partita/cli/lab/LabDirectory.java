package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.lab.report.HtmlReport;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.report.TextReport;
import dev.partita.lab.result.Run;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Where one result is written. */
public final class LabDirectory {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;

  /** What was made for it, the innermost first. */
  private final Deque<Path> made;

  private LabDirectory(Path directory, Deque<Path> made) {
    this.directory = directory;
    this.made = made;
  }

  /**
   * A new one, named after the time and the experiment. Made at once: that it cannot be written to
   * is better known before a long run than after it.
   */
  public static LabDirectory in(String parent, String experiment) {
    if (parent.isBlank()) {
      throw new MisuseException("--results", "is blank; name a directory");
    }
    Deque<Path> made = new ArrayDeque<>();
    try {
      Path absent = Path.of(parent).toAbsolutePath();
      Deque<Path> missing = new ArrayDeque<>();
      for (; absent != null && !Files.exists(absent); absent = absent.getParent()) {
        missing.push(absent);
      }
      for (Path each : missing) {
        made.push(Files.createDirectory(each));
      }
      Path directory = stamped(Path.of(parent), experiment);
      made.push(directory);
      return new LabDirectory(directory, made);
    } catch (InvalidPathException e) {
      throw new MisuseException("--results", "cannot be a directory: " + e.getReason());
    } catch (IOException e) {
      discard(made);
      throw new MisuseException(
          "--results", "no directory can be made in " + parent + " (" + e + ")");
    }
  }

  private static Path stamped(Path parent, String experiment) throws IOException {
    String name = STAMP.format(Instant.now()) + "-" + experiment.toLowerCase(Locale.ROOT);
    for (int again = 1; ; again++) {
      try {
        return Files.createDirectory(parent.resolve(again == 1 ? name : name + "-" + again));
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(parent) || again == 99) {
          throw e;
        }
        // Another run began in the same second.
      }
    }
  }

  /** Writes the report in all its forms. */
  public void write(Run run) throws IOException {
    RunJson.write(run, file("run.json"));
    HtmlReport.write(run, report());
    Files.writeString(file("run.txt"), TextReport.of(run, report().toString(), TextReport.COLUMNS));
  }

  /** Removes it, and what was made for it, if nothing was written: there is no result. */
  public void discardIfEmpty() {
    discard(made);
  }

  private static void discard(Deque<Path> made) {
    try {
      for (Path each : made) {
        try (var inside = Files.newDirectoryStream(each)) {
          if (inside.iterator().hasNext()) {
            return;
          }
        }
        Files.delete(each);
      }
    } catch (IOException e) {
      // An empty directory too many must not hide what ended the run.
    }
  }

  /** A file in it. */
  private Path file(String name) {
    return directory.resolve(name);
  }

  /** The report for people. */
  public Path report() {
    return file("report.html");
  }
}
