package dev.partita.cli.demo;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.TransferRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The accounts of one run of the demo: {@code demo:RUN:…}. */
final class Market {

  static final Asset EUR = Asset.iso("EUR");

  private static final int BATCH = 1_000;
  private static final int EXTERNAL_CODE = 1000;
  private static final int BUYER_CODE = 2000;
  private static final int SELLER_CODE = 2100;
  private static final int FEE_CODE = 4000;

  private final int run;
  private final AccountId fees;
  private final AccountId external;

  private Market(int run) {
    this.run = run;
    this.fees = new AccountId(prefix() + "fees");
    this.external = new AccountId(prefix() + "external");
  }

  /**
   * Begins a run: the first whose fee account is not there yet. Opening that account claims the
   * number, so two demos at the same time take two.
   */
  static Market begin(Ledger ledger) {
    if (!ledger.register(List.of(EUR)).getFirst().asset().equals(EUR)) {
      throw new MisuseException(
          "EUR is registered here with another scale than 2; run the demo in another ledger");
    }
    int run = 1;
    while (true) {
      Market market = new Market(run);
      if (ledger.account(market.fees).isEmpty()) {
        NewAccount account = market.account(market.fees, Side.CREDIT, Limits.NONE, FEE_CODE);
        if (ledger.open(List.of(account)).getFirst().status() == OpenResult.Status.CREATED) {
          return market;
        }
      }
      run++;
    }
  }

  int run() {
    return run;
  }

  /** What the ids of this run's accounts begin with. */
  String prefix() {
    return "demo:" + run + ":";
  }

  AccountId fees() {
    return fees;
  }

  AccountId external() {
    return external;
  }

  AccountId buyer(int number) {
    return new AccountId(prefix() + "buyer:" + number);
  }

  AccountId seller(int number) {
    return new AccountId(prefix() + "seller:" + number);
  }

  /** Opens all accounts and funds the buyers. */
  void open(Ledger ledger, Plan plan, Expectation expectation) {
    List<NewAccount> accounts = new ArrayList<>();
    accounts.add(account(external, Side.DEBIT, Limits.NONE, EXTERNAL_CODE));
    for (int seller = 0; seller < plan.sellers(); seller++) {
      accounts.add(account(seller(seller), Side.CREDIT, Limits.NOT_NEGATIVE, SELLER_CODE));
    }
    for (int buyer = 0; buyer < plan.buyers(); buyer++) {
      accounts.add(account(buyer(buyer), Side.CREDIT, Limits.NOT_NEGATIVE, BUYER_CODE));
    }
    for (int from = 0; from < accounts.size(); from += BATCH) {
      ledger.open(accounts.subList(from, Math.min(accounts.size(), from + BATCH)));
    }
    for (int from = 0; from < plan.buyers(); from += BATCH) {
      List<PostItem> funding = new ArrayList<>();
      for (int buyer = from; buyer < Math.min(plan.buyers(), from + BATCH); buyer++) {
        funding.add(
            TransferRequest.direct(
                Ids.timeOrdered(Instant.now(), plan.random(-1L - run * 1_000_003L - buyer)),
                EUR.code(),
                external,
                buyer(buyer),
                Amount.ofMinor(expectation.fundingCents[buyer])));
      }
      PostResult result = ledger.post(new PostRequest(funding));
      result.transfers().forEach(transfer -> transfer.orThrow());
    }
  }

  private NewAccount account(AccountId id, Side normal, Limits limits, int code) {
    return new NewAccount(id, EUR.code(), normal, limits, code, Metadata.EMPTY);
  }
}
