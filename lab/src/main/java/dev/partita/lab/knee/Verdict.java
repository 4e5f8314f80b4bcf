package dev.partita.lab.knee;

/** What one probe says about its rate. */
public enum Verdict {
  /** The target kept the promise, beyond the noise of the measurement. */
  PASS,
  /** It did not, and it was not the client's fault. */
  FAIL,
  /** The promise lies within the noise of the measurement. */
  AMBIGUOUS,
  /** The client or the host was not fit to measure: nothing is said about the target. */
  INVALID
}
