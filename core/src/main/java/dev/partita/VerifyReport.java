package dev.partita;

import java.util.List;
import java.util.Objects;

/**
 * What {@code verify} found in the stored data.
 *
 * @param position what was verified: everything recorded up to here, in the engine's own words
 * @param accounts how many accounts were checked
 * @param transfers how many records were checked
 * @param violations what is broken, at most {@link #VIOLATIONS_MAX}; empty if the ledger is sound
 */
public record VerifyReport(
    String position, long accounts, long transfers, List<Violation> violations) {

  /** Most violations that a report lists. */
  public static final int VIOLATIONS_MAX = 1_000;

  /** Takes a copy. */
  public VerifyReport {
    Objects.requireNonNull(position, "position");
    violations = List.copyOf(violations);
  }

  /**
   * A broken invariant.
   *
   * @param invariant which, as numbered in the documentation of {@link Ledger#verify}
   * @param subject the account, transfer, group or asset it was found on
   * @param detail what is wrong, with the values found and expected
   */
  public record Violation(int invariant, String subject, String detail) {

    /** Checks presence. */
    public Violation {
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** Whether nothing is broken. */
  public boolean clean() {
    return violations.isEmpty();
  }
}
