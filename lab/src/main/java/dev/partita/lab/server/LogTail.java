package dev.partita.lab.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server's log has gained since a moment, as far as it is alarming. Understands plain lines
 * in English with any prefix.
 */
final class LogTail {

  static final int LINES_MAX = 20;
  private static final int LINE_CHARS_MAX = 300;

  /** The first of these in a line is what the line is; later ones may be quoted by it. */
  private static final Pattern SEVERITY =
      Pattern.compile(
          "\\b(DEBUG|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|CONTEXT|QUERY|STATEMENT):"
              + "  ");

  private static final Set<String> ALARMING = Set.of("FATAL", "PANIC");

  /** Said at the level of a remark. */
  private static final List<String> CRASH =
      List.of("was terminated by signal", "all server processes terminated; reinitializing");

  private final Path file;
  private final long start;
  private final List<String> expected;

  private LogTail(Path file, long start, List<String> expected) {
    this.file = file;
    this.start = start;
    this.expected = List.copyOf(expected);
  }

  /**
   * From the end of the file as it is now.
   *
   * @param expected parts of lines that are no alarm
   */
  static LogTail from(Path file, List<String> expected) throws IOException {
    return new LogTail(file, Files.size(file), expected);
  }

  /** The alarming lines since then, at most so many and one more. */
  List<String> alarming() throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.size(file) >= start) {
      read(file, start, lines);
      return lines;
    }
    // The embedded server keeps its log small: what was there is beside it now.
    Path previous = file.resolveSibling(file.getFileName() + ".1");
    if (Files.exists(previous) && Files.size(previous) >= start) {
      read(previous, start, lines);
    }
    read(file, 0, lines);
    return lines;
  }

  private void read(Path from, long position, List<String> lines) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(from);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(
                    // Whatever a client sent may be in it.
                    Channels.newInputStream(channel.position(position)),
                    StandardCharsets.ISO_8859_1))) {
      String line = reader.readLine();
      while (line != null && lines.size() <= LINES_MAX) {
        if (isAlarming(line) && expected.stream().noneMatch(line::contains)) {
          lines.add(line.substring(0, Math.min(line.length(), LINE_CHARS_MAX)));
        }
        line = reader.readLine();
      }
    }
  }

  static boolean isAlarming(String line) {
    // A message goes on in lines that begin with a tab.
    if (line.startsWith("\t")) {
      return false;
    }
    Matcher severity = SEVERITY.matcher(line);
    if (!severity.find()) {
      return false;
    }
    String level = severity.group(1);
    return ALARMING.contains(level)
        || (level.equals("LOG") && CRASH.stream().anyMatch(line::contains));
  }
}
