package dev.partita.lab.gate;

import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Counts;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Times;
import java.util.List;
import java.util.Map;

/**
 * What gates look at after a cell has run.
 *
 * @param setup what was meant
 * @param counts what was done
 * @param lag of the generator behind its own schedule
 * @param checks the reconciliation; empty if it was not run
 * @param aborted why the load ended before its time; empty if it did not
 * @param beginning the first answers
 * @param verifies what of an answer is compared with what was asked; empty if nothing is
 * @param durabilityBefore settings that decide whether a commit is kept, before the load
 * @param durabilityAfter the same after it
 * @param trouble what happened to server or machine meanwhile, in words
 * @param refusals share of transfers that were meant to be refused, 0 to 1
 * @param clamped times that were too long to be recorded as they were
 */
public record Evidence(
    Setup setup,
    Counts counts,
    Times lag,
    List<CheckResult> checks,
    String aborted,
    Beginning beginning,
    String verifies,
    Map<String, String> durabilityBefore,
    Map<String, String> durabilityAfter,
    List<String> trouble,
    double refusals,
    long clamped) {

  /**
   * The first operations, warm-up included.
   *
   * @param operations how many were looked at
   * @param failed how many of them were not answered
   */
  public record Beginning(long operations, long failed) {}

  /** Takes copies. */
  public Evidence {
    checks = List.copyOf(checks);
    durabilityBefore = Map.copyOf(durabilityBefore);
    durabilityAfter = Map.copyOf(durabilityAfter);
    trouble = List.copyOf(trouble);
  }
}
