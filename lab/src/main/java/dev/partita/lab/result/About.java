package dev.partita.lab.result;

import java.util.List;

/**
 * What was run, and how.
 *
 * @param experiment its name
 * @param title in a few words
 * @param claim what is claimed, and by whom
 * @param expected what counts as shown and what as refuted
 * @param xAxis what {@link Setup#x} is, in words; empty if there is no such axis
 * @param arms names of the arms in the order in which the experiment declares them, which is the
 *     order to show them in: cells ran in another
 * @param command how to run it again
 * @param profile smoke, quick or full
 * @param seed of all choices
 * @param started when, ISO 8601 in UTC
 * @param seconds how long it took altogether
 * @param version of Partita
 */
public record About(
    String experiment,
    String title,
    String claim,
    String expected,
    String xAxis,
    List<String> arms,
    String command,
    String profile,
    long seed,
    String started,
    long seconds,
    String version) {

  /** Takes a copy. */
  public About {
    arms = List.copyOf(arms);
  }
}
