package dev.partita.lab.result;

/** What figures are worth. A run has a verdict before it has a number. From best to worst. */
public enum Verdict {
  /** They may be used. */
  VALID,
  /** They may be used with the mark that a gate put on them. */
  FLAGGED,
  /** The target did not do what was asked of it; how much it did is true. */
  FAILED,
  /** No figure may be used. */
  INVALID;

  /** Whether figures mean anything. */
  public boolean usable() {
    return this != INVALID;
  }

  /** The worse of both. */
  public Verdict and(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
