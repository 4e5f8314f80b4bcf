package dev.partita.lab.result;

import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much was done in the window of a cell.
 *
 * @param offered operations that were due
 * @param dispatched those that found a place among those under way
 * @param outcomes how many operations ended how, by the name of the outcome; those that never
 *     occurred are left out
 * @param committed transfers made
 * @param rejected transfers refused
 * @param replayed transfers made before
 * @param goodputPerSecond transfers made a second: neither refusals nor repeats count
 * @param offeredPerSecond operations that were due a second
 * @param brokenIdentities sums that should be equal and are not, in words
 */
public record Counts(
    long offered,
    long dispatched,
    Map<String, Long> outcomes,
    long committed,
    long rejected,
    long replayed,
    double goodputPerSecond,
    double offeredPerSecond,
    List<String> brokenIdentities) {

  /** Takes copies. */
  public Counts {
    outcomes = Collections.unmodifiableMap(new TreeMap<>(outcomes));
    brokenIdentities = List.copyOf(brokenIdentities);
  }

  /** Of a measurement. */
  public static Counts of(Measured measured) {
    Map<String, Long> outcomes = new TreeMap<>();
    for (Outcome each : Outcome.values()) {
      if (measured.count(each) > 0) {
        outcomes.put(each.name(), measured.count(each));
      }
    }
    return new Counts(
        measured.offered(),
        measured.dispatched(),
        outcomes,
        measured.committed(),
        measured.rejected(),
        measured.replayed(),
        measured.goodput(),
        measured.offeredPerSecond(),
        measured.brokenIdentities());
  }

  /** How many operations ended like this. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome.name(), 0L);
  }

  /** Operations that were not answered, dropped and unfinished ones among them. */
  public long failed() {
    long failed = 0;
    for (Outcome each : Outcome.values()) {
      failed += each.isAnswer() ? 0 : count(each);
    }
    return failed;
  }
}
