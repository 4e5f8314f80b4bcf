package dev.partita.lab.result;

/**
 * What an experiment expected and what it saw.
 *
 * @param what is claimed
 * @param expected when the claim counts as shown, and when as refuted
 * @param observed in figures
 * @param outcome which it is
 */
public record Finding(String what, String expected, String observed, Outcome outcome) {

  /** How a claim fared. */
  public enum Outcome {
    /** As expected. */
    SHOWN,
    /** Neither as expected nor the contrary. */
    UNCLEAR,
    /** The contrary. */
    REFUTED,
    /** A profile that only checks correctness, or figures that may not be used. */
    NOT_JUDGED
  }
}
