package dev.partita.lab.host;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Time of all processors of this machine since it was started, and how long its queue is.
 *
 * @param ticks by kind as Linux orders them: user, nice, system, idle, waiting for disks, two kinds
 *     of interrupts, stolen by the hypervisor; null where it is not said
 * @param load1 processes that ran or wanted to, over about the last minute; null where not said
 */
public record HostReading(@Nullable List<Long> ticks, @Nullable Double load1) {

  private static final int KINDS = 8;

  /** Takes a copy. */
  public HostReading {
    ticks = ticks == null ? null : List.copyOf(ticks);
  }

  /** Reads both now. */
  public static HostReading now(Proc proc) {
    return new HostReading(
        proc.text("stat").flatMap(HostReading::ticks).orElse(null),
        proc.text("loadavg").flatMap(HostReading::load).orElse(null));
  }

  private static Optional<List<Long>> ticks(String stat) {
    String[] fields = stat.lines().findFirst().orElse("").split(" +", -1);
    if (fields.length <= KINDS || !fields[0].equals("cpu")) {
      return Optional.empty();
    }
    return Optional.of(Arrays.stream(fields, 1, KINDS + 1).map(Long::valueOf).toList());
  }

  private static Optional<Double> load(String loadavg) {
    try {
      return Optional.of(Double.valueOf(loadavg.split(" ", 2)[0]));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
