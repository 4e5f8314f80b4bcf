package dev.partita.lab.host;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The machine that the generator runs on, and the JVM it runs in.
 *
 * @param system name and release of the operating system, and the architecture
 * @param cores that this JVM may use
 * @param memoryBytes of the machine; null if it does not say
 * @param processor model name; null if it does not say
 * @param java version, vendor and virtual machine
 * @param jvm settings of the JVM that a figure depends on
 * @param diskFreeShare of the file system asked about, 0 to 1; null if none is known
 */
public record HostFacts(
    String system,
    long cores,
    @Nullable Long memoryBytes,
    @Nullable String processor,
    String java,
    Jvm jvm,
    @Nullable Double diskFreeShare) {

  private static final long BYTES_PER_KIB = 1024;

  /**
   * Settings of the JVM.
   *
   * @param heapBytesMax how large its heap may become
   * @param collectors names of its garbage collectors' parts
   * @param assertions on or off
   * @param debugging debuggers, agents, profilers and interpreters asked for at the start, by
   *     option; empty for figures worth publishing
   * @param flags other options with -X, without those that hold a path
   */
  public record Jvm(
      long heapBytesMax,
      List<String> collectors,
      String assertions,
      List<String> debugging,
      List<String> flags) {

    /** Takes copies. */
    public Jvm {
      collectors = List.copyOf(collectors);
      debugging = List.copyOf(debugging);
      flags = List.copyOf(flags);
    }
  }

  /** Of this machine, with the free space of the file system that holds a path, if one is known. */
  public static HostFacts read(@Nullable Path disk) {
    return read(new Proc(), disk);
  }

  static HostFacts read(Proc proc, @Nullable Path disk) {
    return new HostFacts(
        String.join(" ", property("os.name"), property("os.version"), property("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        proc.text("meminfo")
            .flatMap(text -> field(text, "MemTotal"))
            .map(value -> Long.parseLong(value.replaceAll("\\D", "")) * BYTES_PER_KIB)
            .orElse(null),
        proc.text("cpuinfo").flatMap(text -> field(text, "model name")).orElse(null),
        String.join(
            " ",
            property("java.runtime.version"),
            property("java.vendor"),
            property("java.vm.name")),
        jvm(
            ManagementFactory.getRuntimeMXBean().getInputArguments(),
            HostFacts.class.desiredAssertionStatus()),
        disk == null ? null : freeShare(disk));
  }

  static Jvm jvm(List<String> arguments, boolean assertions) {
    List<String> debugging = new ArrayList<>();
    List<String> flags = new ArrayList<>();
    for (String each : arguments) {
      if (isDebugging(each)) {
        debugging.add(withoutPath(each));
      } else if (each.startsWith("-X") && !each.contains("/") && !each.contains("\\")) {
        flags.add(each);
      }
    }
    return new Jvm(
        Runtime.getRuntime().maxMemory(),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList(),
        assertions ? "on" : "off",
        debugging,
        flags);
  }

  private static boolean isDebugging(String argument) {
    return argument.startsWith("-agent")
        || argument.startsWith("-javaagent")
        || argument.startsWith("-Xrun")
        || argument.equals("-Xdebug")
        || argument.equals("-Xint")
        || argument.startsWith("-XX:TieredStopAtLevel")
        || argument.startsWith("-XX:StartFlightRecording");
  }

  /** Such as -javaagent:x.jar: where it lies and what it was told is nobody's business. */
  private static String withoutPath(String argument) {
    String option = argument.replaceFirst("^([^=]*)=.*", "$1");
    int colon = option.indexOf(':');
    int name = Math.max(option.lastIndexOf('/'), option.lastIndexOf('\\'));
    return name > colon ? option.substring(0, colon + 1) + option.substring(name + 1) : option;
  }

  /** How much of the file system that holds a path is free, 0 to 1; null if it does not say. */
  public static @Nullable Double freeShare(Path path) {
    try {
      FileStore store = Files.getFileStore(path);
      long all = store.getTotalSpace();
      return all <= 0 ? null : (Double) ((double) store.getUsableSpace() / all);
    } catch (IOException e) {
      return null;
    }
  }

  private static Optional<String> field(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip());
  }

  private static String property(String name) {
    return System.getProperty(name, "?");
  }
}
