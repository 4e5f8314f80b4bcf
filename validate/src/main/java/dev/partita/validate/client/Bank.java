package dev.partita.validate.client;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.validate.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * The accounts of a small bank: where money comes from, customers who may not overdraw, merchants,
 * and the one account that every sale pays a fee into. Immutable.
 *
 * @param customers how many
 * @param merchants how many
 */
public record Bank(int customers, int merchants) {

  /** The only asset. */
  public static final Asset EUR = Asset.of("EUR", 2);

  /** Where money comes from. */
  public static final AccountId WORLD = AccountId.of("world");

  /** What every sale pays into. */
  public static final AccountId FEES = AccountId.of("fees");

  /** A customer, by number. */
  public AccountId customer(int number) {
    return AccountId.of("customer:" + number);
  }

  /** A merchant, by number. */
  public AccountId merchant(int number) {
    return AccountId.of("merchant:" + number);
  }

  /** Registers the asset and opens the accounts. */
  public void open(Ledger ledger) {
    ledger.register(List.of(EUR));
    List<NewAccount> accounts = new ArrayList<>();
    accounts.add(NewAccount.of(WORLD.value(), EUR.code().value()).normal(Side.DEBIT));
    accounts.add(NewAccount.of(FEES.value(), EUR.code().value()));
    for (int i = 0; i < customers; i++) {
      accounts.add(limited(customer(i)));
    }
    for (int i = 0; i < merchants; i++) {
      accounts.add(limited(merchant(i)));
    }
    ledger.open(accounts);
  }

  private static NewAccount limited(AccountId id) {
    return NewAccount.of(id.value(), EUR.code().value()).limits(Limits.NOT_NEGATIVE);
  }

  /** A comparison that knows the limits of these accounts. */
  public Reconciliation reconciliation(Ledger ledger, Run run) {
    Reconciliation reconciliation = new Reconciliation(ledger, run);
    for (int i = 0; i < customers; i++) {
      reconciliation.limit(customer(i), Limits.NOT_NEGATIVE);
    }
    for (int i = 0; i < merchants; i++) {
      reconciliation.limit(merchant(i), Limits.NOT_NEGATIVE);
    }
    return reconciliation;
  }
}
