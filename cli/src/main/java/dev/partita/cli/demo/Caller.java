package dev.partita.cli.demo;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.cli.demo.Plan.Beside;
import dev.partita.cli.demo.Plan.Sale;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.HdrHistogram.ConcurrentHistogram;

/** Makes sales the way a shop's service does: one call, one answer, then the next. */
final class Caller {

  private static final int ATTEMPTS = 10;
  private static final long PAUSE_MILLIS = 50;

  /** Short, so that the demo ends soon. */
  private static final int HOLD_SECONDS = 1;

  /** Above the number of any sale. */
  private static final int RUN_SHIFT = 44;

  private final Ledger ledger;
  private final Market market;
  private final Plan plan;
  private final Expectation expectation;
  private final ConcurrentHistogram latencyMicros;

  Caller(
      Ledger ledger,
      Market market,
      Plan plan,
      Expectation expectation,
      ConcurrentHistogram latencyMicros) {
    this.ledger = ledger;
    this.market = market;
    this.plan = plan;
    this.expectation = expectation;
    this.latencyMicros = latencyMicros;
  }

  /** An answer that the plan does not foresee. */
  static final class UnexpectedAnswerException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    UnexpectedAnswerException(String message) {
      super(message);
    }
  }

  /**
   * Makes one sale and what comes beside it.
   *
   * @return how many transfers were recorded
   */
  int make(long number) throws InterruptedException {
    Sale sale = plan.sale(number);
    // The run is part of the numbers, so that a second run has ids of its own.
    SplittableRandom random = plan.random(number ^ (long) market.run() << RUN_SHIFT);
    AccountId buyer = market.buyer(sale.buyer());
    AccountId seller = market.seller(sale.seller());
    UUID priceId = id(random);
    UUID cutId = id(random);
    GroupRequest purchase = purchase(priceId, cutId, buyer, seller, sale.priceCents());
    long begunNanos = System.nanoTime();
    PostResult.Item result = post(purchase);
    latencyMicros.recordValue(
        Math.min(
            latencyMicros.getHighestTrackableValue(), (System.nanoTime() - begunNanos) / 1_000));
    require(result, TransferStatus.CREATED, TransferStatus.CREATED);
    return 2
        + switch (sale.beside()) {
          case NOTHING -> 0;
          case REFUND -> refund(random, priceId, cutId);
          case HOLD_CAPTURED, HOLD_CAPTURED_IN_PART -> holdAndCapture(random, sale, buyer, seller);
          case HOLD_VOIDED -> holdAndVoid(random, sale, buyer, seller);
          case HOLD_EXPIRED -> {
            hold(random, sale, buyer, seller);
            yield 1;
          }
          case REFUSED -> refused(random, sale, buyer, seller);
        };
  }

  private int refund(SplittableRandom random, UUID priceId, UUID cutId)
      throws InterruptedException {
    UUID first = id(random);
    GroupRequest refund =
        new GroupRequest(
            first,
            List.of(
                TransferRequest.reversal(first, cutId),
                TransferRequest.reversal(id(random), priceId)));
    require(post(refund), TransferStatus.CREATED, TransferStatus.CREATED);
    return 2;
  }

  private int holdAndCapture(SplittableRandom random, Sale sale, AccountId buyer, AccountId seller)
      throws InterruptedException {
    UUID hold = hold(random, sale, buyer, seller);
    Amount captured = Amount.ofMinor(sale.capturedCents());
    UUID first = id(random);
    TransferRequest capture = TransferRequest.capture(first, hold);
    GroupRequest capturing =
        new GroupRequest(
            first,
            List.of(
                sale.beside() == Beside.HOLD_CAPTURED
                    ? capture
                    : capture.asset(Market.EUR.code()).amount(captured),
                cut(id(random), seller, sale.capturedCents())));
    require(post(capturing), TransferStatus.CREATED, TransferStatus.CREATED);
    return 3;
  }

  private int holdAndVoid(SplittableRandom random, Sale sale, AccountId buyer, AccountId seller)
      throws InterruptedException {
    UUID hold = hold(random, sale, buyer, seller);
    require(post(TransferRequest.voiding(id(random), hold)), TransferStatus.CREATED);
    return 2;
  }

  private UUID hold(SplittableRandom random, Sale sale, AccountId buyer, AccountId seller)
      throws InterruptedException {
    UUID id = id(random);
    TransferRequest hold =
        TransferRequest.pending(
            id, Market.EUR.code(), buyer, seller, Amount.ofMinor(sale.besideCents()));
    boolean expires = sale.beside() == Beside.HOLD_EXPIRED;
    require(post(expires ? hold.timeoutSeconds(HOLD_SECONDS) : hold), TransferStatus.CREATED);
    return id;
  }

  private int refused(SplittableRandom random, Sale sale, AccountId buyer, AccountId seller)
      throws InterruptedException {
    long unaffordableCents = expectation.fundingCents[sale.buyer()] + 1;
    GroupRequest purchase = purchase(id(random), id(random), buyer, seller, unaffordableCents);
    require(post(purchase), TransferStatus.INSUFFICIENT_FUNDS, TransferStatus.GROUP_FAILED);
    return 0;
  }

  private GroupRequest purchase(
      UUID priceId, UUID cutId, AccountId buyer, AccountId seller, long priceCents) {
    return new GroupRequest(
        priceId,
        List.of(
            TransferRequest.direct(
                priceId, Market.EUR.code(), buyer, seller, Amount.ofMinor(priceCents)),
            cut(cutId, seller, priceCents)));
  }

  private TransferRequest cut(UUID id, AccountId seller, long priceCents) {
    return TransferRequest.direct(
        id, Market.EUR.code(), seller, market.fees(), Amount.ofMinor(Sale.cutCents(priceCents)));
  }

  /** Repeats what had no answer, with the same ids: what was recorded then exists. */
  private PostResult.Item post(PostItem item) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return ledger.post(item);
      } catch (UnavailableException e) {
        boolean worthRepeating =
            switch (e.reason()) {
              case QUEUE_FULL, CONTENTION, TIMED_OUT, DATABASE_UNAVAILABLE, CONFLICT -> true;
              case WITHDRAWN, CLOSED, DATABASE_ERROR, SCHEMA_TOO_NEW -> false;
            };
        if (attempt == ATTEMPTS || !worthRepeating) {
          throw e;
        }
      }
      Thread.sleep(PAUSE_MILLIS * attempt);
    }
  }

  private static void require(PostResult.Item result, TransferStatus... expected) {
    List<TransferResult> transfers = result.transfers();
    for (int i = 0; i < expected.length; i++) {
      TransferStatus status = transfers.get(i).status();
      // A repeated call finds what its first attempt recorded.
      if (status != expected[i]
          && !(expected[i] == TransferStatus.CREATED && status == TransferStatus.EXISTS)) {
        throw new UnexpectedAnswerException(
            "transfer "
                + transfers.get(i).id()
                + " was answered "
                + status
                + ", which must be "
                + expected[i]);
      }
    }
  }

  private static UUID id(SplittableRandom random) {
    return Ids.timeOrdered(Instant.now(), random);
  }
}
