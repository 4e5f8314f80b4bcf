package dev.partita.cli.demo;

import java.util.SplittableRandom;

/**
 * What the marketplace is going to do: every sale and what comes beside it follow from the seed and
 * the sale's number alone, whoever makes it and in whatever order.
 *
 * @param seed decides everything
 * @param sellers how many there are
 * @param buyers how many there are
 * @param sales how many sales are made
 */
public record Plan(long seed, int sellers, int buyers, long sales) {

  private static final long PRICE_MIN_CENTS = 100;
  private static final long PRICE_MAX_CENTS = 20_000;
  private static final int CUT_PERCENT = 5;
  private static final int CAPTURED_PERCENT = 70;

  /** Spreads neighbouring numbers over all seeds. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  /** What comes beside a sale. */
  enum Beside {
    /** Nothing: most sales. */
    NOTHING,
    /** The sale is refunded: price and cut are reversed. */
    REFUND,
    /** A second purchase is held and captured, its cut taken with the capture. */
    HOLD_CAPTURED,
    /** The same, and only a part is captured. */
    HOLD_CAPTURED_IN_PART,
    /** A second purchase is held and voided. */
    HOLD_VOIDED,
    /** A second purchase is held and forgotten, so that it expires. */
    HOLD_EXPIRED,
    /** A second purchase costs more than the buyer can ever have, so it is refused. */
    REFUSED
  }

  /**
   * A sale.
   *
   * @param number its number, from 0
   * @param buyer who buys
   * @param seller who sells
   * @param priceCents what the buyer pays
   * @param beside what comes beside it
   * @param besideCents the price of the second purchase
   */
  record Sale(
      long number, int buyer, int seller, long priceCents, Beside beside, long besideCents) {

    /** The marketplace's share of a price. */
    static long cutCents(long priceCents) {
      return Math.max(1, priceCents * CUT_PERCENT / 100);
    }

    /** What is captured of the second purchase. */
    long capturedCents() {
      return switch (beside) {
        case HOLD_CAPTURED -> besideCents;
        case HOLD_CAPTURED_IN_PART -> besideCents * CAPTURED_PERCENT / 100;
        case NOTHING, REFUND, HOLD_VOIDED, HOLD_EXPIRED, REFUSED -> 0;
      };
    }
  }

  Sale sale(long number) {
    SplittableRandom random = random(number);
    int buyer = random.nextInt(buyers);
    int seller = random.nextInt(sellers);
    long price = random.nextLong(PRICE_MIN_CENTS, PRICE_MAX_CENTS + 1);
    long besidePrice = random.nextLong(PRICE_MIN_CENTS, PRICE_MAX_CENTS + 1);
    return new Sale(number, buyer, seller, price, beside(number), besidePrice);
  }

  /** Numbers that belong to one sale, for its ids. */
  SplittableRandom random(long number) {
    return new SplittableRandom((seed ^ number * SPREAD) * SPREAD + number);
  }

  private static Beside beside(long number) {
    return switch ((int) (number % 100)) {
      case 3 -> Beside.REFUND;
      case 17 -> Beside.HOLD_CAPTURED;
      case 29 -> Beside.HOLD_CAPTURED_IN_PART;
      case 41 -> Beside.HOLD_VOIDED;
      case 53 -> Beside.HOLD_EXPIRED;
      case 71 -> Beside.REFUSED;
      default -> Beside.NOTHING;
    };
  }
}
