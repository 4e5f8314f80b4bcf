package dev.partita.lab.server;

import dev.partita.lab.host.HostUse;
import dev.partita.lab.host.Proc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * CPU time used between two readings, by role. What was not measured is null and a note says why.
 *
 * @param seconds between the readings
 * @param client this JVM: the generator, and a contender that runs inside it
 * @param backends sessions of the server, with what has ended meanwhile
 * @param otherServer all other processes of the server together: they work for everybody
 * @param monitoring the lab's own sessions, which are in none of the others
 * @param otherServerSeconds the others one by one, by role
 * @param host what the whole machine did
 * @param notes what a reader has to know
 */
public record CpuUse(
    double seconds,
    @Nullable Cpu client,
    @Nullable Cpu backends,
    @Nullable Cpu otherServer,
    @Nullable Cpu monitoring,
    Map<String, Double> otherServerSeconds,
    HostUse host,
    List<String> notes) {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MICROS_PER_SECOND = 1e6;

  /** Below this, figures rounded to 10 ms at each process are too coarse to be compared. */
  private static final double SECONDS_MIN = 10;

  /** Takes copies; the order stays. */
  public CpuUse {
    otherServerSeconds = Collections.unmodifiableMap(new LinkedHashMap<>(otherServerSeconds));
    notes = List.copyOf(notes);
  }

  /**
   * CPU time of one role.
   *
   * @param seconds of all its processes and threads together
   * @param microsPerTransfer the same by transfer; null without transfers
   */
  public record Cpu(double seconds, @Nullable Double microsPerTransfer) {}

  /**
   * The difference of two readings of one {@link CpuAccount}.
   *
   * @param transfers committed in between
   */
  public static CpuUse between(
      CpuAccount.Reading before, CpuAccount.Reading after, long transfers) {
    List<String> notes = new ArrayList<>();
    double seconds = (after.atNanos() - before.atNanos()) / NANOS_PER_SECOND;
    Map<String, Long> ticks = new TreeMap<>();
    CpuAccount.Server first = before.server();
    CpuAccount.Server last = after.server();
    boolean measured = first != null && last != null;
    if (first != null && last != null) {
      ticks.putAll(spent(first, last));
      notes.add(
          "CPU of server processes that ended is counted with the backends, rounded to 10 ms each");
      if (seconds < SECONDS_MIN) {
        notes.add("less than 10 s: rounding to 10 ms for each process shows in these figures");
      }
    } else {
      String reason = after.reason() != null ? after.reason() : before.reason();
      notes.add("CPU of the server not measured: " + reason);
    }
    Long start = before.clientNanos();
    Long end = after.clientNanos();
    Map<String, Double> others = new LinkedHashMap<>();
    ticks.forEach(
        (role, count) -> {
          if (!Set.of(CpuAccount.Role.BACKENDS, CpuAccount.Role.MONITORING).contains(role)) {
            others.put(role, inSeconds(count));
          }
        });
    double otherSeconds = others.values().stream().mapToDouble(Double::doubleValue).sum();
    return new CpuUse(
        seconds,
        start == null || end == null ? null : cpu((end - start) / NANOS_PER_SECOND, transfers),
        measured ? cpu(of(ticks, CpuAccount.Role.BACKENDS), transfers) : null,
        measured ? cpu(otherSeconds, transfers) : null,
        measured ? cpu(of(ticks, CpuAccount.Role.MONITORING), transfers) : null,
        others,
        HostUse.between(before.host(), after.host()),
        notes);
  }

  /**
   * By role. What a process had used before counts with its role even if it has ended since; the
   * rest of what ended is not told apart by the system, and nearly all of it were sessions.
   */
  private static Map<String, Long> spent(CpuAccount.Server before, CpuAccount.Server after) {
    Map<String, Long> spent = new TreeMap<>();
    spent.put(CpuAccount.Role.MAIN, after.mainTicks() - before.mainTicks());
    long ended = after.endedTicks() - before.endedTicks();
    for (Map.Entry<String, CpuAccount.Living> each : before.living().entrySet()) {
      if (!after.living().containsKey(each.getKey())) {
        ended -= each.getValue().ticks();
      }
    }
    spent.put(CpuAccount.Role.BACKENDS, Math.max(0, ended));
    for (Map.Entry<String, CpuAccount.Living> each : after.living().entrySet()) {
      CpuAccount.Living earlier = before.living().get(each.getKey());
      long ticks = each.getValue().ticks() - (earlier == null ? 0 : earlier.ticks());
      spent.merge(each.getValue().role(), ticks, Long::sum);
    }
    return spent;
  }

  private static double of(Map<String, Long> ticks, String role) {
    return inSeconds(ticks.getOrDefault(role, 0L));
  }

  private static double inSeconds(long ticks) {
    return (double) ticks / Proc.TICKS_PER_SECOND;
  }

  private static Cpu cpu(double seconds, long transfers) {
    return new Cpu(
        seconds, transfers <= 0 ? null : (Double) (seconds * MICROS_PER_SECOND / transfers));
  }
}
