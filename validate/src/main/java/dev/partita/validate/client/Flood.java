package dev.partita.validate.client;

import dev.partita.Amount;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** More transfers at once than a ledger may hold, sent without waiting. For one thread. */
public final class Flood {

  private record Sent(Journal.Line line, CompletableFuture<PostResult> answer) {}

  private final Ledger ledger;
  private final Journal journal;
  private final Bank bank;
  private final SplittableRandom random;
  private final List<Sent> sent = new ArrayList<>();
  private long refused;

  /** A flood of top-ups. */
  public Flood(Ledger ledger, Journal journal, Bank bank, SplittableRandom random) {
    this.ledger = ledger;
    this.journal = journal;
    this.bank = bank;
    this.random = random;
  }

  /** Sends so many; answers how many the ledger took in instead of saying that it is full. */
  public int send(int count) {
    int taken = 0;
    for (int i = 0; i < count; i++) {
      TransferRequest request =
          TransferRequest.direct(
              Ids.timeOrdered(Instant.now(), random),
              Bank.EUR.code(),
              Bank.WORLD,
              bank.customer(random.nextInt(bank.customers())),
              Amount.ofMinor(1));
      Journal.Line line = journal.sent(request, null);
      CompletableFuture<PostResult> answer =
          ledger.submit(PostRequest.of(request)).toCompletableFuture();
      sent.add(new Sent(line, answer));
      if (isFull(answer)) {
        refused++;
      } else {
        taken++;
      }
    }
    return taken;
  }

  private static boolean isFull(CompletableFuture<PostResult> answer) {
    return answer.isCompletedExceptionally()
        && answer.exceptionNow() instanceof UnavailableException failure
        && failure.reason() == Reason.QUEUE_FULL;
  }

  /** How many found the queue full so far. */
  public long refused() {
    return refused;
  }

  /** Waits for all answers, journals them, and asks again about what nobody knows. */
  public void settle(Teller teller) throws InterruptedException {
    for (Sent each : sent) {
      try {
        TransferResult result = each.answer().get().transfers().getFirst();
        if (result.status().isRecorded()) {
          each.line().record(result.orThrow());
        } else {
          each.line().refuse(result.status());
        }
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnavailableException failure)) {
          throw new IllegalStateException("a ledger answers with its own failures", e);
        }
        if (failure.outcome() == Outcome.NOT_POSTED) {
          each.line().notPosted();
        } else {
          each.line().unknown();
          teller.resolve(each.line());
        }
      }
    }
    sent.clear();
  }
}
