package dev.partita.validate.client;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.PostItem;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * One client of a {@link Bank}: sales in groups, top-ups, payments, holds with captures, voids and
 * time-outs, reversals, repeats. What it does next depends on its seed and on what it was told. For
 * one thread at a time.
 */
public final class Client {

  private static final int RING = 16;

  private final Bank bank;
  private final SplittableRandom random;
  private final List<Transfer> holds = new ArrayList<>();
  private final List<Transfer> moved = new ArrayList<>();

  /** A client with its own source of chance. */
  public Client(Bank bank, SplittableRandom random) {
    this.bank = bank;
    this.random = random;
  }

  /** Posts one thing. Answers how many transfers were recorded by it. */
  public int step(Teller teller) throws InterruptedException {
    if (!moved.isEmpty() && random.nextInt(50) == 0) {
      Transfer original = moved.get(random.nextInt(moved.size()));
      teller.repeat(original.request(), original);
      return 0;
    }
    Teller.Result result = teller.post(next());
    if (!result.recorded()) {
      return 0;
    }
    result.results().forEach(each -> remember(each.orThrow()));
    return result.results().size();
  }

  /** What to post next. */
  PostItem next() {
    int dice = random.nextInt(100);
    if (dice < 40) {
      return sale();
    }
    if (dice < 58) {
      return direct(Bank.WORLD, customer(), 1 + random.nextInt(5_000));
    }
    if (dice < 70) {
      return direct(customer(), merchant(), 1 + random.nextInt(3_000));
    }
    if (dice < 84 || holds.isEmpty()) {
      TransferRequest hold =
          TransferRequest.pending(
              id(), Bank.EUR.code(), customer(), merchant(), amount(1 + random.nextInt(3_000)));
      return random.nextInt(3) == 0 ? hold.timeoutSeconds(1 + random.nextInt(2)) : hold;
    }
    Transfer hold = holds.remove(random.nextInt(holds.size()));
    if (dice < 88) {
      return TransferRequest.capture(id(), hold.id());
    }
    if (dice < 92) {
      long part = 1 + random.nextLong(hold.amount().toBigInteger().longValueExact());
      return TransferRequest.capture(id(), hold.id())
          .amount(amount(part))
          .asset(Bank.EUR.code())
          .keepRemainder(random.nextBoolean());
    }
    if (dice < 96 || moved.isEmpty()) {
      return TransferRequest.voiding(id(), hold.id());
    }
    return TransferRequest.reversal(id(), moved.get(random.nextInt(moved.size())).id());
  }

  private GroupRequest sale() {
    AccountId merchant = merchant();
    int price = 10 + random.nextInt(2_000);
    return new GroupRequest(
        id(),
        List.of(
            direct(customer(), merchant, price),
            direct(merchant, Bank.FEES, Math.max(1, price / 10))));
  }

  private TransferRequest direct(AccountId debit, AccountId credit, long cents) {
    return TransferRequest.direct(id(), Bank.EUR.code(), debit, credit, amount(cents));
  }

  private void remember(Transfer transfer) {
    if (transfer.group() != null) {
      // Repeated by itself it would be another transfer.
      return;
    }
    switch (transfer.kind()) {
      case PENDING -> keep(holds, transfer);
      case DIRECT, POST -> keep(moved, transfer);
      case VOID, EXPIRY, REVERSAL -> {}
    }
  }

  private void keep(List<Transfer> ring, Transfer transfer) {
    if (ring.size() == RING) {
      ring.set(random.nextInt(RING), transfer);
    } else {
      ring.add(transfer);
    }
  }

  private AccountId customer() {
    return bank.customer(random.nextInt(bank.customers()));
  }

  private AccountId merchant() {
    return bank.merchant(random.nextInt(bank.merchants()));
  }

  private UUID id() {
    return Ids.timeOrdered(Instant.now(), random);
  }

  private static Amount amount(long cents) {
    return Amount.ofMinor(cents);
  }
}
