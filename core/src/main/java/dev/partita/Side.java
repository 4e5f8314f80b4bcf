package dev.partita;

/** The two sides of an entry. An account's normal side is the one that raises its balance. */
public enum Side {
  /** The left side. Normal for what the ledger's owner owns. */
  DEBIT,
  /** The right side. Normal for what the ledger's owner owes, and for revenue. */
  CREDIT;

  /** The other side. */
  public Side opposite() {
    return this == DEBIT ? CREDIT : DEBIT;
  }
}
