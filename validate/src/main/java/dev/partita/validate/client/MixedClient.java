package dev.partita.validate.client;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.HoldQuery;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.StatementQuery;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A client that does a little of everything an application does: what a {@link Client} posts,
 * transfers that must be refused, batches, and reads in between. For one thread at a time.
 */
public final class MixedClient {

  private static final int BATCH = 50;
  private static final int PAGE = 20;

  private final Bank bank;
  private final SplittableRandom random;
  private final Client client;

  /** A client with its own source of chance. */
  public MixedClient(Bank bank, SplittableRandom random) {
    this.bank = bank;
    this.random = random;
    this.client = new Client(bank, random.split());
  }

  /** Does one thing: seven times in ten it posts, otherwise it reads. */
  public void step(Ledger ledger, Teller teller) throws InterruptedException {
    int dice = random.nextInt(100);
    if (dice < 60) {
      client.step(teller);
    } else if (dice < 65) {
      teller.post(refused());
    } else if (dice < 70) {
      batch(teller);
    } else {
      read(ledger, dice);
    }
  }

  /** More than a customer can have. */
  private TransferRequest refused() {
    return TransferRequest.direct(
        Ids.timeOrdered(Instant.now(), random),
        Bank.EUR.code(),
        customer(),
        Bank.FEES,
        Amount.ofMinor(1_000_000_000_000L));
  }

  private void batch(Teller teller) throws InterruptedException {
    List<TransferRequest> batched = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      batched.add(
          TransferRequest.direct(
              Ids.timeOrdered(Instant.now(), random),
              Bank.EUR.code(),
              Bank.WORLD,
              customer(),
              Amount.ofMinor(1 + random.nextInt(100))));
    }
    teller.postAll(batched);
  }

  private void read(Ledger ledger, int dice) {
    AccountId account = customer();
    if (dice < 80) {
      ledger.balance(account);
    } else if (dice < 86) {
      ledger.statement(StatementQuery.newestFirst(account, PAGE));
    } else if (dice < 90) {
      ledger.find(TransferQuery.account(account, PAGE));
    } else if (dice < 94) {
      ledger.account(account);
    } else if (dice < 97) {
      ledger.holds(HoldQuery.account(account, PAGE));
    } else {
      ledger.balanceAsEffective(account, Instant.now().minusSeconds(1));
    }
  }

  private AccountId customer() {
    return bank.customer(random.nextInt(bank.customers()));
  }
}
