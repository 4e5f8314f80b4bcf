package dev.partita;

/** A question or change names an account that the ledger does not have. */
public final class UnknownAccountException extends MisuseException {

  private static final long serialVersionUID = 1;

  private final transient AccountId account;

  /** The account is unknown. */
  public UnknownAccountException(AccountId account) {
    super("account", "no account " + account + " in this ledger; open it first or correct the id");
    this.account = account;
  }

  /** The id that names no account. */
  public AccountId account() {
    return account;
  }
}
