package dev.partita.lab.host;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the whole machine did between two readings, whoever asked for it. Shares are of the time of
 * all processors, 0 to 1; null if it was not measured.
 *
 * @param busyShare neither idle nor waiting, stolen time included
 * @param ioWaitShare idle while a disk was being waited for
 * @param stealShare taken by the hypervisor while something here wanted to run
 * @param load1Before load average of one minute at the first reading, before the run made its own
 */
public record HostUse(
    @Nullable Double busyShare,
    @Nullable Double ioWaitShare,
    @Nullable Double stealShare,
    @Nullable Double load1Before) {

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /** The difference of two readings. */
  public static HostUse between(HostReading before, HostReading after) {
    List<Long> first = before.ticks();
    List<Long> last = after.ticks();
    if (first == null || last == null) {
      return new HostUse(null, null, null, before.load1());
    }
    List<Long> spent =
        IntStream.range(0, first.size())
            // The kernel may take a little idle and waiting time back.
            .mapToObj(i -> Math.max(0, last.get(i) - first.get(i)))
            .toList();
    double all = spent.stream().mapToLong(Long::longValue).sum();
    if (all <= 0) {
      return new HostUse(null, null, null, before.load1());
    }
    return new HostUse(
        (all - spent.get(IDLE) - spent.get(IO_WAIT)) / all,
        spent.get(IO_WAIT) / all,
        spent.get(STEAL) / all,
        before.load1());
  }
}
