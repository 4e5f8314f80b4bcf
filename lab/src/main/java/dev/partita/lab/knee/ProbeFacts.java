package dev.partita.lab.knee;

import dev.partita.lab.load.Course;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Outcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one probe found, before anything is made of it. Times are in microseconds, from the intended
 * start of an operation to its known end, of answered operations only.
 *
 * @param rate operations a second that were meant to be offered
 * @param offered operations due in the window
 * @param answeredMeanwhile answers that came inside the window
 * @param failures how many ended without an answer, by outcome: dropped and unfinished ones too
 * @param p99Micros of all answers; 0 if there was none
 * @param p99MicrosByPart of equal parts of the window, in order, without those that had no answer
 * @param underWay operations under way at evenly spaced instants of the window
 * @param underWayMax most that may be under way at once
 * @param complaint why client or host were not fit to measure; null if they were
 */
public record ProbeFacts(
    double rate,
    long offered,
    long answeredMeanwhile,
    Map<Outcome, Long> failures,
    double p99Micros,
    List<Double> p99MicrosByPart,
    List<Integer> underWay,
    int underWayMax,
    @Nullable String complaint) {

  private static final double P99 = 99;

  /** Takes copies. */
  public ProbeFacts {
    failures = Map.copyOf(failures);
    p99MicrosByPart = List.copyOf(p99MicrosByPart);
    underWay = List.copyOf(underWay);
  }

  /**
   * The facts of a window of the generator.
   *
   * @param rate that was meant to be offered
   * @param complaint why client or host were not fit to measure; null if they were. Sums that do
   *     not agree are a complaint of their own.
   */
  public static ProbeFacts of(double rate, Measured measured, @Nullable String complaint) {
    Map<Outcome, Long> failures = new EnumMap<>(Outcome.class);
    measured
        .outcomes()
        .forEach(
            (outcome, count) -> {
              if (!outcome.isAnswer() && count > 0) {
                failures.put(outcome, count);
              }
            });
    List<String> broken = measured.brokenIdentities();
    Course course = measured.course();
    return new ProbeFacts(
        rate,
        measured.offered(),
        course.answeredMeanwhile(),
        failures,
        p99(measured.answered()),
        course.responses().stream()
            .filter(part -> part.getTotalCount() > 0)
            .map(ProbeFacts::p99)
            .toList(),
        course.underWay(),
        course.underWayMax(),
        broken.isEmpty() ? complaint : "the generator lost count: " + String.join("; ", broken));
  }

  /** Of a probe that ended before it measured anything. */
  public static ProbeFacts nothing(double rate, String complaint) {
    return new ProbeFacts(rate, 0, 0, Map.of(), 0, List.of(), List.of(), 0, complaint);
  }

  /** Operations that ended without an answer. */
  public long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  private static double p99(Histogram answers) {
    return answers.getValueAtPercentile(P99);
  }
}
