package dev.partita;

/** What a transfer does. */
public enum TransferKind {
  /** Moves its amount at once. */
  DIRECT,
  /** Reserves its amount on both accounts: a hold. */
  PENDING,
  /** Captures a hold, in whole or in part. */
  POST,
  /** Gives back what remains of a hold. */
  VOID,
  /** Gives back what remains of a hold whose deadline has passed; made by the engine alone. */
  EXPIRY,
  /** Undoes a DIRECT or POST, in whole or in part. */
  REVERSAL;

  /** Whether it resolves a hold: POST, VOID, EXPIRY. */
  public boolean resolvesHold() {
    return this == POST || this == VOID || this == EXPIRY;
  }

  /** Whether it names another record: all but DIRECT and PENDING. */
  public boolean isRelated() {
    return this != DIRECT && this != PENDING;
  }
}
