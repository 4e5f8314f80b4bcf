package dev.partita;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The trial balance: what all accounts together were debited and credited, at one moment. In every
 * asset the two are equal.
 *
 * @param lines one for each asset, code and normal side in use, in that order
 * @param takenAt engine time at which the reading began: what was recorded and answered by then is
 *     in it
 */
public record TrialBalance(List<Line> lines, Instant takenAt) {

  /** Takes a copy. */
  public TrialBalance {
    lines = List.copyOf(lines);
    Objects.requireNonNull(takenAt, "takenAt");
  }

  /**
   * The accounts of one asset, code and normal side. Totals may exceed what an amount can hold.
   *
   * @param asset their asset
   * @param code their code
   * @param normal their normal side
   * @param accounts how many there are
   * @param debitsPosted in minor units, as all totals
   * @param creditsPosted posted on the credit side
   * @param debitsPending pending on the debit side
   * @param creditsPending pending on the credit side
   */
  public record Line(
      AssetCode asset,
      int code,
      Side normal,
      long accounts,
      BigInteger debitsPosted,
      BigInteger creditsPosted,
      BigInteger debitsPending,
      BigInteger creditsPending) {

    /** Checks presence. */
    public Line {
      Objects.requireNonNull(asset, "asset");
      Objects.requireNonNull(normal, "normal");
      Objects.requireNonNull(debitsPosted, "debitsPosted");
      Objects.requireNonNull(creditsPosted, "creditsPosted");
      Objects.requireNonNull(debitsPending, "debitsPending");
      Objects.requireNonNull(creditsPending, "creditsPending");
    }
  }

  /** Whether debits equal credits, posted and pending, in every asset. */
  public boolean balanced() {
    return lines.stream()
        .map(Line::asset)
        .distinct()
        .allMatch(asset -> difference(asset, false) == 0 && difference(asset, true) == 0);
  }

  private int difference(AssetCode asset, boolean pending) {
    BigInteger sum = BigInteger.ZERO;
    for (Line line : lines) {
      if (line.asset().equals(asset)) {
        sum =
            pending
                ? sum.add(line.debitsPending()).subtract(line.creditsPending())
                : sum.add(line.debitsPosted()).subtract(line.creditsPosted());
      }
    }
    return sum.signum();
  }
}
