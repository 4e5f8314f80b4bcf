package dev.partita.validate.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What another Java process holds at one moment. What the system or the Java installation does not
 * tell is empty.
 *
 * @param residentBytes memory of the process that is in the machine's
 * @param heapBytes of its heap, right after a full collection that was asked for
 * @param threads of the system, all of them
 * @param descriptors open files, connections among them
 */
public record ProcessReading(
    OptionalLong residentBytes,
    OptionalLong heapBytes,
    OptionalLong threads,
    OptionalLong descriptors) {

  private static final long KIB = 1_024;
  private static final long PATIENCE_SECONDS = 30;

  /** As {@code jcmd PID GC.heap_info} says it, for a part of the heap or for all of it. */
  private static final Pattern HEAP_USED =
      Pattern.compile(
          "^\\s*(?:DefNew|Tenured|def new|tenured|garbage-first|PSYoungGen|ParOldGen)"
              + ".*\\bused (\\d+)K",
          Pattern.MULTILINE);

  /** Reads what a process holds now; asks it for a full collection first. */
  public static ProcessReading of(long pid) throws IOException, InterruptedException {
    OptionalLong heap = heap(pid);
    Path proc = Path.of("/proc", Long.toString(pid));
    return new ProcessReading(
        kib(proc, "VmRSS"), heap, number(proc, "Threads:\\s*(\\d+)"), descriptors(proc));
  }

  private static OptionalLong kib(Path proc, String name) throws IOException {
    OptionalLong found = number(proc, name + ":\\s*(\\d+) kB");
    return found.isEmpty() ? found : OptionalLong.of(found.getAsLong() * KIB);
  }

  private static OptionalLong number(Path proc, String pattern) throws IOException {
    Path status = proc.resolve("status");
    if (!Files.isReadable(status)) {
      return OptionalLong.empty();
    }
    Matcher line = Pattern.compile(pattern).matcher(Files.readString(status));
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }

  private static OptionalLong descriptors(Path proc) throws IOException {
    Path folder = proc.resolve("fd");
    if (!Files.isReadable(folder)) {
      return OptionalLong.empty();
    }
    try (Stream<Path> open = Files.list(folder)) {
      return OptionalLong.of(open.count());
    }
  }

  private static OptionalLong heap(long pid) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return OptionalLong.empty();
    }
    say(jcmd, pid, "GC.run");
    Matcher used = HEAP_USED.matcher(say(jcmd, pid, "GC.heap_info"));
    long sum = 0;
    boolean found = false;
    while (used.find()) {
      found = true;
      sum += Long.parseLong(used.group(1)) * KIB;
    }
    return found ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  private static String say(Path jcmd, long pid, String command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return said;
  }
}
