package dev.partita.lab.result;

import java.util.List;

/**
 * One check of the reconciliation.
 *
 * @param name as LAB numbers them, such as R4
 * @param what has to hold
 * @param broken how many cases break it
 * @param examples a few of them
 * @param note what was found besides, or why it does not apply; may be empty
 */
public record CheckResult(
    String name, String what, long broken, List<String> examples, String note) {

  /** Takes a copy. */
  public CheckResult {
    examples = List.copyOf(examples);
  }
}
