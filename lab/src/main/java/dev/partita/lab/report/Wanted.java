package dev.partita.lab.report;

import dev.partita.lab.result.Ratio;
import java.util.Optional;

/**
 * A figure that a ratio was to reach.
 *
 * @param bound the figure
 * @param most whether less is better
 */
record Wanted(double bound, boolean most) {

  /** As the ratio says it in words; empty if it says none. */
  static Optional<Wanted> of(Ratio ratio) {
    String words = ratio.wanted();
    boolean most = words.contains("at most") || words.contains("≤");
    return Numbers.firstIn(words).map(bound -> new Wanted(bound, most));
  }

  boolean reached(double ratio) {
    return most ? ratio <= bound : ratio >= bound;
  }
}
