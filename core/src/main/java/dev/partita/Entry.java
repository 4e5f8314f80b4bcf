package dev.partita;

import java.util.Objects;

/**
 * A line of an account's statement: one side of a transfer.
 *
 * @param transfer the record
 * @param side whether the account was debited or credited
 */
public record Entry(Transfer transfer, Side side) {

  /** Checks presence. */
  public Entry {
    Objects.requireNonNull(transfer, "transfer");
    Objects.requireNonNull(side, "side");
  }

  /** The account after this line: its balance, counters, and the line's version. */
  public AccountBalance after() {
    return transfer.after(side);
  }

  /** The account on the other side. */
  public AccountId counterparty() {
    return transfer.after(side.opposite()).account();
  }

  /** The line's place among the account's lines, from 1 without gaps. */
  public long version() {
    return after().version();
  }
}
