package dev.partita.rules;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rules of opening and changing accounts, pure as {@link Bookkeeper}. */
public final class AccountRules {

  private AccountRules() {}

  /**
   * What a change leads to.
   *
   * @param result the answer, with the account as it stands afterwards
   * @param change what to record, null unless CHANGED
   */
  public record Decision(ChangeResult result, @Nullable AccountChange change) {}

  /**
   * Decides on opening an account.
   *
   * @param existing the account of that id, or null
   * @param assetKnown whether the asset is registered
   */
  public static OpenResult open(NewAccount wanted, @Nullable Account existing, boolean assetKnown) {
    if (existing == null) {
      return new OpenResult(
          wanted.id(),
          assetKnown ? OpenResult.Status.CREATED : OpenResult.Status.UNKNOWN_ASSET,
          null);
    }
    String field = null;
    if (!existing.asset().equals(wanted.asset())) {
      field = "asset";
    } else if (existing.normal() != wanted.normal()) {
      field = "normal";
    } else if (existing.code() != wanted.code()) {
      field = "code";
    }
    return new OpenResult(
        wanted.id(),
        field == null ? OpenResult.Status.EXISTS : OpenResult.Status.EXISTS_DIFFERENT,
        field);
  }

  /**
   * Decides on changing an account.
   *
   * @param current the account, locked
   * @param notBefore the latest of its last record's and its last change's time, or null
   * @param now engine time
   */
  public static Decision change(
      ChangeRequest request, Account current, @Nullable Instant notBefore, Instant now) {
    AccountTerms before = terms(current);
    AccountTerms after = request.applyTo(before);
    if (after.equals(before)) {
      return new Decision(new ChangeResult(ChangeResult.Status.UNCHANGED, current), null);
    }
    Long ifChange = request.ifChange();
    if (ifChange != null && ifChange != current.lastChange()) {
      return new Decision(new ChangeResult(ChangeResult.Status.CHANGED_MEANWHILE, current), null);
    }
    if (after.limits().crossed()) {
      return new Decision(new ChangeResult(ChangeResult.Status.LIMITS_CROSSED, current), null);
    }
    Instant earliest =
        notBefore == null || notBefore.isBefore(current.openedAt())
            ? current.openedAt()
            : notBefore;
    AccountChange change =
        new AccountChange(
            current.id(),
            current.lastChange() + 1,
            before,
            after,
            current.balance().version(),
            now.isAfter(earliest) ? now : earliest,
            request.actor());
    return new Decision(
        new ChangeResult(ChangeResult.Status.CHANGED, apply(change, current)), change);
  }

  /** The account after a change that was decided on it. */
  public static Account apply(AccountChange change, Account current) {
    AccountTerms after = change.after();
    Instant closedAt = current.closed() ? current.closedAt() : change.recordedAt();
    return new Account(
        current.id(),
        after.limits(),
        current.code(),
        after.metadata(),
        current.balance(),
        current.openedAt(),
        after.closed() ? closedAt : null,
        change.number());
  }

  /** What of an account can be changed. */
  public static AccountTerms terms(Account account) {
    return new AccountTerms(account.limits(), account.metadata(), account.closed());
  }
}
