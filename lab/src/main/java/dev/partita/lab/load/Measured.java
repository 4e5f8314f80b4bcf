package dev.partita.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was measured in one window. An operation belongs to the window in which it was meant to
 * begin. Times are in microseconds.
 *
 * @param loop how operations were offered
 * @param windowNanos how long
 * @param offered operations that were due
 * @param dispatched those that found a place
 * @param outcomes how many ended how
 * @param responses from intended start to known end, by outcome
 * @param lags from intended start to dispatch
 * @param waits from dispatch to having a connection
 * @param services from having a connection to known end
 * @param committed transfers made
 * @param rejected transfers refused
 * @param replayed transfers made before
 * @param committedBySecond transfers made, by the second of their intended start
 * @param course how it went from beginning to end
 */
public record Measured(
    String loop,
    long windowNanos,
    long offered,
    long dispatched,
    Map<Outcome, Long> outcomes,
    Map<Outcome, Histogram> responses,
    Histogram lags,
    Histogram waits,
    Histogram services,
    long committed,
    long rejected,
    long replayed,
    List<Long> committedBySecond,
    Course course) {

  /** Takes copies. */
  public Measured {
    outcomes = Map.copyOf(outcomes);
    responses = Map.copyOf(responses);
    committedBySecond = List.copyOf(committedBySecond);
  }

  /** What is known when nothing was measured at all. */
  public static Measured nothing(String loop, Window window) {
    long length = window.length().toNanos();
    return new Tally(0, length).measured(loop);
  }

  /** Times that were too long to be recorded as they were. */
  public long clamped() {
    return course.clamped();
  }

  /** How many operations ended like this. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** Transfers made in a second. */
  public double goodput() {
    return committed * 1e9 / windowNanos;
  }

  /** Operations offered in a second. */
  public double offeredPerSecond() {
    return offered * 1e9 / windowNanos;
  }

  /** Response times of all operations that were answered: committed, rejected and replayed. */
  public Histogram answered() {
    Histogram all = new Histogram(3);
    responses.forEach(
        (outcome, histogram) -> {
          if (outcome.isAnswer()) {
            all.add(histogram);
          }
        });
    return all;
  }

  /** Operations that failed, dropped and unfinished ones among them. */
  public long failed() {
    return outcomes.entrySet().stream()
        .filter(each -> !each.getKey().isAnswer())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * The sums that must be equal whatever happened; those that are not, in words. A generator that
   * loses count has measured nothing.
   */
  public List<String> brokenIdentities() {
    List<String> broken = new ArrayList<>();
    long dropped = count(Outcome.DROPPED);
    equal(broken, "offered", offered, "dispatched + dropped", dispatched + dropped);
    long outcomesDispatched = outcomes.values().stream().mapToLong(Long::longValue).sum() - dropped;
    equal(broken, "dispatched", dispatched, "outcomes + unfinished", outcomesDispatched);
    outcomes.forEach(
        (outcome, count) -> {
          if (outcome != Outcome.DROPPED && outcome != Outcome.UNFINISHED) {
            Histogram histogram = responses.get(outcome);
            equal(
                broken,
                "count of " + outcome,
                count,
                "its response times",
                histogram == null ? 0 : histogram.getTotalCount());
          }
        });
    equal(
        broken,
        "committed by second",
        committedBySecond.stream().mapToLong(Long::longValue).sum(),
        "committed",
        committed);
    if (!course.responses().isEmpty()) {
      equal(
          broken,
          "answers by part of the window",
          course.responses().stream().mapToLong(Histogram::getTotalCount).sum(),
          "answers",
          outcomes.values().stream().mapToLong(Long::longValue).sum() - failed());
    }
    return broken;
  }

  private static void equal(
      List<String> broken, String what, long value, String other, long otherValue) {
    if (value != otherValue) {
      broken.add(what + " is " + value + ", " + other + " is " + otherValue);
    }
  }
}
