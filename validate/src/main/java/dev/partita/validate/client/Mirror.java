package dev.partita.validate.client;

import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.Side;
import dev.partita.Transfer;
import java.math.BigInteger;

/**
 * One account as its records make it, in arithmetic of its own: it knows nothing of the ledger's
 * code. For one thread.
 */
final class Mirror {

  long version;
  private BigInteger debitsPosted = BigInteger.ZERO;
  private BigInteger creditsPosted = BigInteger.ZERO;
  private BigInteger debitsPending = BigInteger.ZERO;
  private BigInteger creditsPending = BigInteger.ZERO;

  /** Takes in what a record does to one side. */
  void apply(Transfer record, Side side) {
    version++;
    BigInteger amount = record.amount().toBigInteger();
    BigInteger posted =
        switch (record.kind()) {
          case DIRECT, POST, REVERSAL -> amount;
          case PENDING, VOID, EXPIRY -> BigInteger.ZERO;
        };
    BigInteger pending =
        switch (record.kind()) {
          case PENDING -> amount;
          case POST -> amount.add(record.released().toBigInteger()).negate();
          case VOID, EXPIRY -> amount.negate();
          case DIRECT, REVERSAL -> BigInteger.ZERO;
        };
    if (side == Side.DEBIT) {
      debitsPosted = debitsPosted.add(posted);
      debitsPending = debitsPending.add(pending);
    } else {
      creditsPosted = creditsPosted.add(posted);
      creditsPending = creditsPending.add(pending);
    }
  }

  /** Whether a ledger's counters say the same. */
  boolean agrees(Counters counters) {
    return same(debitsPosted, counters.debitsPosted())
        && same(creditsPosted, counters.creditsPosted())
        && same(debitsPending, counters.debitsPending())
        && same(creditsPending, counters.creditsPending());
  }

  private static boolean same(BigInteger ours, Amount theirs) {
    return ours.equals(theirs.toBigInteger());
  }

  /** What may still be spent: the balance less what holds reserve. */
  BigInteger spendable(Side normal) {
    return normal == Side.CREDIT
        ? creditsPosted.subtract(debitsPosted).subtract(debitsPending)
        : debitsPosted.subtract(creditsPosted).subtract(creditsPending);
  }

  /** The balance with what is expected. */
  BigInteger reach(Side normal) {
    return normal == Side.CREDIT
        ? creditsPosted.subtract(debitsPosted).add(creditsPending)
        : debitsPosted.subtract(creditsPosted).add(debitsPending);
  }

  @Override
  public String toString() {
    return "version "
        + version
        + ", debits "
        + debitsPosted
        + " + "
        + debitsPending
        + " pending, credits "
        + creditsPosted
        + " + "
        + creditsPending
        + " pending";
  }
}
