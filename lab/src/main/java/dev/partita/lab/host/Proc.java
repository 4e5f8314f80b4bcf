package dev.partita.lab.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What Linux says under {@code /proc}. Everything is empty where there is no such directory, where
 * it is closed to us, or where the process has just ended. Thread-safe.
 */
public final class Proc {

  /** Of the figures in clock ticks: the same on every architecture PostgreSQL is packaged for. */
  public static final long TICKS_PER_SECOND = 100;

  private static final int PARENT = 1;
  private static final int OWN_TICKS = 11;
  private static final int REAPED_TICKS = 13;
  private static final int START = 19;

  private final Path root;

  /** As seen from this process. */
  public Proc() {
    this(Path.of("/proc"));
  }

  /** A tree of the same shape. */
  public Proc(Path root) {
    this.root = root;
  }

  /**
   * A process at one moment.
   *
   * @param pid its number
   * @param name of its program, at most 15 characters
   * @param parent the number of the process that started it
   * @param startTicks when it was started; with the number it names one process for good
   * @param ticks CPU time it has used itself
   * @param reapedTicks CPU time of its children that have ended
   */
  public record Entry(
      long pid, String name, long parent, long startTicks, long ticks, long reapedTicks) {}

  /** Whether there is anything to read. */
  public boolean isThere() {
    return Files.isReadable(root.resolve("self/stat"));
  }

  /** A process, if it lives and may be looked at. */
  public Optional<Entry> process(long pid) {
    return text(pid + "/stat").flatMap(line -> parse(pid, line));
  }

  /** The name stands in brackets and may hold brackets and blanks itself. */
  private static Optional<Entry> parse(long pid, String line) {
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')');
    if (open < 0 || close < open) {
      return Optional.empty();
    }
    String[] fields = line.substring(close + 1).strip().split(" ", -1);
    if (fields.length <= START) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Entry(
              pid,
              line.substring(open + 1, close),
              Long.parseLong(fields[PARENT]),
              Long.parseLong(fields[START]),
              pair(fields, OWN_TICKS),
              pair(fields, REAPED_TICKS)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** In user mode and in the kernel. */
  private static long pair(String[] fields, int first) {
    return Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1]);
  }

  /** The processes that this one has started and that live, or have ended unnoticed. */
  public List<Entry> children(long parent) {
    List<Entry> children = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path each : all) {
        process(Long.parseLong(each.getFileName().toString()))
            .filter(process -> process.parent() == parent)
            .ifPresent(children::add);
      }
    } catch (IOException e) {
      return List.of();
    }
    return children;
  }

  /** The command line, in which a server process writes what it is; empty if it has none. */
  public String title(long pid) {
    return text(pid + "/cmdline").map(line -> line.replace('\0', ' ').strip()).orElse("");
  }

  /** A file below the root, as text; empty if it cannot be read. */
  public Optional<String> text(String name) {
    try {
      // Titles and names may be in any encoding.
      return Optional.of(Files.readString(root.resolve(name), StandardCharsets.ISO_8859_1));
    } catch (IOException | SecurityException e) {
      return Optional.empty();
    }
  }
}
