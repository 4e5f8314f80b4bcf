package dev.partita;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of an account's limits, metadata or open state, in absolute values. What is not named
 * stays as it is. Immutable; each method answers a changed copy.
 */
public final class ChangeRequest {

  private static final int ACTOR_MAX = 128;

  private final AccountId account;
  private final @Nullable Setting minBalance;
  private final @Nullable Setting maxBalance;
  private final @Nullable Metadata metadata;
  private final @Nullable Boolean closed;
  private final @Nullable Condition condition;

  /** A value to set; null removes what is there. */
  private record Setting(@Nullable Balance value) {}

  private record Condition(@Nullable Long ifChange, @Nullable String actor) {}

  private ChangeRequest(
      AccountId account,
      @Nullable Setting minBalance,
      @Nullable Setting maxBalance,
      @Nullable Metadata metadata,
      @Nullable Boolean closed,
      @Nullable Condition condition) {
    this.account = Objects.requireNonNull(account, "account");
    this.minBalance = minBalance;
    this.maxBalance = maxBalance;
    this.metadata = metadata;
    this.closed = closed;
    this.condition = condition;
  }

  /** A change of this account that changes nothing yet. */
  public static ChangeRequest of(AccountId account) {
    return new ChangeRequest(account, null, null, null, null, null);
  }

  /** Sets the minimum balance; null removes it. */
  public ChangeRequest minBalance(@Nullable Balance value) {
    return new ChangeRequest(account, new Setting(value), maxBalance, metadata, closed, condition);
  }

  /** Sets the maximum balance; null removes it. */
  public ChangeRequest maxBalance(@Nullable Balance value) {
    return new ChangeRequest(account, minBalance, new Setting(value), metadata, closed, condition);
  }

  /** Replaces the metadata as a whole. */
  public ChangeRequest metadata(Metadata value) {
    return new ChangeRequest(
        account, minBalance, maxBalance, Objects.requireNonNull(value), closed, condition);
  }

  /** Closes the account. */
  public ChangeRequest close() {
    return new ChangeRequest(account, minBalance, maxBalance, metadata, true, condition);
  }

  /** Opens the account again. */
  public ChangeRequest reopen() {
    return new ChangeRequest(account, minBalance, maxBalance, metadata, false, condition);
  }

  /**
   * Makes the change only if {@code number} is still the account's last change (0: never changed).
   *
   * @throws MisuseException if negative
   */
  public ChangeRequest ifChange(long number) {
    if (number < 0) {
      throw new MisuseException("ifChange", "must not be negative, was " + number);
    }
    return new ChangeRequest(
        account, minBalance, maxBalance, metadata, closed, new Condition(number, actor()));
  }

  /**
   * Records who made the change.
   *
   * @throws MisuseException unless 1 … 128 characters without control characters
   */
  public ChangeRequest actor(String name) {
    Texts.requireLine("actor", name, ACTOR_MAX);
    return new ChangeRequest(
        account, minBalance, maxBalance, metadata, closed, new Condition(ifChange(), name));
  }

  /** The account to change. */
  public AccountId account() {
    return account;
  }

  /** The last change the caller has seen, or null to change whatever it is. */
  public @Nullable Long ifChange() {
    return condition == null ? null : condition.ifChange();
  }

  /** Who makes the change, or null. */
  public @Nullable String actor() {
    return condition == null ? null : condition.actor();
  }

  /** What an account with these terms would have afterwards. */
  public AccountTerms applyTo(AccountTerms before) {
    Limits limits =
        new Limits(
            minBalance == null ? before.limits().minBalance() : minBalance.value(),
            maxBalance == null ? before.limits().maxBalance() : maxBalance.value());
    return new AccountTerms(
        limits,
        metadata == null ? before.metadata() : metadata,
        closed == null ? before.closed() : closed);
  }
}
