package dev.partita;

/**
 * What became of one asset to register.
 *
 * @param asset as stored in the ledger, so with the stored scale if that differs
 * @param status the answer
 */
public record RegisterResult(Asset asset, Status status) {

  /** The answers to registering an asset. */
  public enum Status {
    /** Registered now. */
    CREATED,
    /** Registered before with the same scale. */
    EXISTS,
    /** Registered before with another scale, which stays. */
    EXISTS_DIFFERENT
  }
}
