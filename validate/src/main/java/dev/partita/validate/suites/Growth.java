package dev.partita.validate.suites;

import dev.partita.validate.Run;
import dev.partita.validate.faults.ProcessReading;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Whether something grows with time: the median of the last third of all stretches against that of
 * the first. For one thread.
 */
final class Growth {

  static final String MEMORY = "memory does not grow";
  static final String THREADS = "threads do not grow in number";
  static final String DESCRIPTORS = "connections and open files do not grow in number";
  static final String TIMES = "answers do not take longer";

  private static final long MIB = 1 << 20;

  private final List<Pace.Stretch> stretches = new ArrayList<>();
  private final List<ProcessReading> readings = new ArrayList<>();

  /** After each stretch. */
  void add(Pace.Stretch stretch, ProcessReading reading) {
    stretches.add(stretch);
    readings.add(reading);
  }

  /**
   * What the last third may have at most, beside what the first had.
   *
   * @param percent of it
   * @param more and so much
   */
  private record Bound(int percent, long more) {
    long of(long first) {
      return first * percent / 100 + more;
    }
  }

  /** Compares, and notes what was compared. */
  void judge(Run run) {
    // The machine's memory follows the heap's size, which the collector chooses within its limit.
    held(
        run,
        MEMORY,
        "heap after a collection",
        "MiB",
        MIB,
        new Bound(120, 8 * MIB),
        ProcessReading::heapBytes);
    held(
        run,
        MEMORY,
        "memory of the process",
        "MiB",
        MIB,
        new Bound(125, 32 * MIB),
        ProcessReading::residentBytes);
    held(run, THREADS, "threads", "", 1, new Bound(100, 8), ProcessReading::threads);
    held(
        run,
        DESCRIPTORS,
        "open files and connections",
        "",
        1,
        new Bound(100, 16),
        ProcessReading::descriptors);
    times(run, "median time", new Bound(150, 2_000), Pace.Stretch::medianMicros);
    times(run, "time of 99 %", new Bound(150, 20_000), Pace.Stretch::slowMicros);
  }

  private void held(
      Run run,
      String check,
      String what,
      String unit,
      long divisor,
      Bound bound,
      Function<ProcessReading, OptionalLong> value) {
    List<Long> values =
        readings.stream().map(value).flatMap(each -> each.stream().boxed()).toList();
    if (values.size() < readings.size()) {
      run.fact(what, "not measured: this system or this Java installation does not tell");
      return;
    }
    compare(run, check, what, unit, divisor, bound, values);
  }

  private void times(Run run, String what, Bound bound, ToLongFunction<Pace.Stretch> micros) {
    List<Long> values = stretches.stream().map(micros::applyAsLong).toList();
    compare(run, TIMES, what, "µs", 1, bound, values);
  }

  private static void compare(
      Run run,
      String check,
      String what,
      String unit,
      long divisor,
      Bound bound,
      List<Long> values) {
    int third = Math.max(1, values.size() / 3);
    long first = median(values.subList(0, third));
    long last = median(values.subList(values.size() - third, values.size()));
    run.fact(what + ", first third", first / divisor, unit);
    run.fact(what + ", last third", last / divisor, unit);
    // A server that was just started grows until it is warm: in a short run that is all one sees.
    if (run.size(0, 1) == 0) {
      return;
    }
    run.check(
        check,
        last <= bound.of(first),
        what
            + " was "
            + first / divisor
            + " and became "
            + last / divisor
            + ", allowed "
            + bound.of(first) / divisor
            + " "
            + unit);
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
