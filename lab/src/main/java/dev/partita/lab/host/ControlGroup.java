package dev.partita.lab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a process has run into, as its control group counts them, version 1 or 2. Only ever
 * grow; null if they cannot be read.
 *
 * @param throttledPeriods how often it was stopped for having used its share of CPU time
 * @param throttledMillis for how long altogether, in milliseconds
 * @param oomKills processes killed for want of memory
 */
public record ControlGroup(
    @Nullable Long throttledPeriods, @Nullable Long throttledMillis, @Nullable Long oomKills) {

  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Reads the counters of a process's group now. */
  public static ControlGroup of(Proc proc, long pid) {
    return of(proc, pid, MOUNT);
  }

  static ControlGroup of(Proc proc, long pid, Path mount) {
    String groups = proc.text(pid + "/cgroup").orElse("");
    Group cpu = new Group(mount, groups, "cpu");
    Group memory = new Group(mount, groups, "memory");
    Long micros = cpu.value("cpu.stat", "throttled_usec");
    Long nanos = cpu.value("cpu.stat", "throttled_time");
    Long kills = memory.value("memory.events", "oom_kill");
    return new ControlGroup(
        cpu.value("cpu.stat", "nr_throttled"),
        micros != null
            ? (Long) (micros / MICROS_PER_MILLI)
            : nanos != null ? (Long) (nanos / NANOS_PER_MILLI) : null,
        kills != null ? kills : memory.value("memory.oom_control", "oom_kill"));
  }

  /** Where the files of one controller may be, most telling first. */
  private record Group(Path mount, String groups, String controller) {

    @Nullable Long value(String file, String key) {
      for (String line : groups.lines().toList()) {
        String[] parts = line.split(":", 3);
        if (parts.length < 3) {
          continue;
        }
        boolean unified = parts[1].isEmpty();
        if (!unified && !(',' + parts[1] + ',').contains(',' + controller + ',')) {
          continue;
        }
        String group = parts[2].substring(Math.min(1, parts[2].length()));
        for (Path base : unified ? unified() : List.of(mount.resolve(controller))) {
          // Inside a container the path may be the host's, and the group is the mount itself.
          Optional<Long> found =
              number(base.resolve(group).resolve(file), key)
                  .or(() -> number(base.resolve(file), key));
          if (found.isPresent()) {
            return found.get();
          }
        }
      }
      return null;
    }

    private List<Path> unified() {
      return List.of(mount, mount.resolve("unified"));
    }

    private static Optional<Long> number(Path file, String key) {
      try {
        return Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(key + " "))
            .map(line -> Long.valueOf(line.substring(key.length() + 1).strip()))
            .findFirst();
      } catch (IOException | NumberFormatException e) {
        return Optional.empty();
      }
    }
  }
}
