package dev.partita.cli.demo;

import dev.partita.cli.demo.Plan.Beside;
import dev.partita.cli.demo.Plan.Sale;
import java.util.EnumMap;
import java.util.Map;

/** What must be in the end, counted from the plan without looking at the ledger. */
final class Expectation {

  /** What every buyer has at least, so that no balance is zero by accident. */
  private static final long RESERVE_CENTS = 1_000;

  /** What each buyer is given: enough for every planned purchase, held or not. */
  final long[] fundingCents;

  /** What each buyer has left in the end. */
  final long[] buyerCents;

  /** What each seller has in the end. */
  final long[] sellerCents;

  /** How often each thing comes beside a sale. */
  final Map<Beside, Long> beside = new EnumMap<>(Beside.class);

  /** What the marketplace has in the end. */
  long feeCents;

  /** What all buyers were given. */
  long fundedCents;

  /** Records made by the callers, the EXPIRY records aside. */
  long transfers;

  Expectation(Plan plan) {
    fundingCents = new long[plan.buyers()];
    buyerCents = new long[plan.buyers()];
    sellerCents = new long[plan.sellers()];
    for (int buyer = 0; buyer < plan.buyers(); buyer++) {
      fundingCents[buyer] = RESERVE_CENTS;
    }
    for (long number = 0; number < plan.sales(); number++) {
      count(plan.sale(number));
    }
    for (int buyer = 0; buyer < plan.buyers(); buyer++) {
      buyerCents[buyer] += fundingCents[buyer];
      fundedCents += fundingCents[buyer];
    }
  }

  private void count(Sale sale) {
    beside.merge(sale.beside(), 1L, Long::sum);
    fundingCents[sale.buyer()] += sale.priceCents();
    transfers += 2;
    if (sale.beside() == Beside.REFUND) {
      transfers += 2;
    } else {
      purchase(sale, sale.priceCents());
    }
    switch (sale.beside()) {
      case HOLD_CAPTURED, HOLD_CAPTURED_IN_PART -> {
        fundingCents[sale.buyer()] += sale.besideCents();
        purchase(sale, sale.capturedCents());
        transfers += 3;
      }
      case HOLD_VOIDED -> {
        fundingCents[sale.buyer()] += sale.besideCents();
        transfers += 2;
      }
      case HOLD_EXPIRED -> {
        fundingCents[sale.buyer()] += sale.besideCents();
        transfers += 1;
      }
      case NOTHING, REFUND, REFUSED -> {}
    }
  }

  private void purchase(Sale sale, long priceCents) {
    long cut = Sale.cutCents(priceCents);
    buyerCents[sale.buyer()] -= priceCents;
    sellerCents[sale.seller()] += priceCents - cut;
    feeCents += cut;
  }

  long count(Beside kind) {
    return beside.getOrDefault(kind, 0L);
  }
}
