package dev.partita;

/** Whose room limits a transfer whose amount is a maximum. */
public enum UpTo {
  /** The amount is exact. */
  NONE,
  /** As much as the debited account has room for. */
  DEBIT,
  /** As much as the credited account has room for. */
  CREDIT,
  /** As much as both have room for. */
  BOTH;

  /** Whether the room of the account on this side counts. */
  public boolean covers(Side side) {
    return this == BOTH || this == (side == Side.DEBIT ? DEBIT : CREDIT);
  }
}
