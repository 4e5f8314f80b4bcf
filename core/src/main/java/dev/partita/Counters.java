package dev.partita;

import java.util.Objects;

/**
 * The four totals of an account, changed by transfers alone. Posted counters only grow.
 *
 * @param debitsPosted what was debited
 * @param creditsPosted what was credited
 * @param debitsPending what open holds would debit
 * @param creditsPending what open holds would credit
 */
public record Counters(
    Amount debitsPosted, Amount creditsPosted, Amount debitsPending, Amount creditsPending) {

  /** All zero: an account nothing has moved on. */
  public static final Counters ZERO =
      new Counters(Amount.ZERO, Amount.ZERO, Amount.ZERO, Amount.ZERO);

  /** Checks presence. */
  public Counters {
    Objects.requireNonNull(debitsPosted, "debitsPosted");
    Objects.requireNonNull(creditsPosted, "creditsPosted");
    Objects.requireNonNull(debitsPending, "debitsPending");
    Objects.requireNonNull(creditsPending, "creditsPending");
  }

  /** The posted total of a side. */
  public Amount posted(Side side) {
    return side == Side.DEBIT ? debitsPosted : creditsPosted;
  }

  /** The pending total of a side. */
  public Amount pending(Side side) {
    return side == Side.DEBIT ? debitsPending : creditsPending;
  }

  /** These counters with the two totals of one side replaced. */
  public Counters with(Side side, Amount posted, Amount pending) {
    return side == Side.DEBIT
        ? new Counters(posted, creditsPosted, pending, creditsPending)
        : new Counters(debitsPosted, posted, debitsPending, pending);
  }
}
