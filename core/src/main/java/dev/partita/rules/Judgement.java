package dev.partita.rules;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One transfer before the rules, with the ways its judgement can end. */
record Judgement(TransferRequest request, @Nullable GroupRef place, Draft draft, Instant now) {

  TransferResult refused(TransferStatus status, @Nullable AccountId account) {
    return TransferResult.refused(request.id(), status, account);
  }

  @Nullable TransferResult refusedIfClosed(Movement movement) {
    if (movement.debit().closed()) {
      return refused(TransferStatus.DEBIT_ACCOUNT_CLOSED, movement.debit().balance().account());
    }
    if (movement.credit().closed()) {
      return refused(TransferStatus.CREDIT_ACCOUNT_CLOSED, movement.credit().balance().account());
    }
    return null;
  }

  /** Engine time that the record would get: never before anything on either account. */
  Instant recordedAt(Movement movement) {
    return later(now, later(movement.debit().notBefore(), movement.credit().notBefore()));
  }

  /** Records a DIRECT, PENDING or REVERSAL unless it overflows a counter or breaks a limit. */
  TransferResult recordWithinLimits(Movement movement, Amount amount, boolean last) {
    if (overflows(movement.debit().balance(), Side.DEBIT, amount)) {
      return refused(TransferStatus.OVERFLOW, movement.debit().balance().account());
    }
    if (overflows(movement.credit().balance(), Side.CREDIT, amount)) {
      return refused(TransferStatus.OVERFLOW, movement.credit().balance().account());
    }
    boolean pending = request.kind() == TransferKind.PENDING;
    AccountBalance debitAfter = raised(movement.debit().balance(), Side.DEBIT, amount, pending);
    AccountBalance creditAfter = raised(movement.credit().balance(), Side.CREDIT, amount, pending);
    if (!amount.isZero()) {
      TransferStatus broken = brokenLimit(movement.debit(), debitAfter, Side.DEBIT);
      if (broken != null) {
        return refused(broken, debitAfter.account());
      }
      broken = brokenLimit(movement.credit(), creditAfter, Side.CREDIT);
      if (broken != null) {
        return refused(broken, creditAfter.account());
      }
    }
    Integer code = request.code();
    return record(
        new Transfer(
            request,
            amount,
            Amount.ZERO,
            last,
            place,
            code == null ? 0 : code,
            request.reference(),
            recordedAt(movement),
            debitAfter,
            creditAfter));
  }

  /** Records a POST, VOID or EXPIRY of a hold. */
  TransferResult recordResolution(
      Movement movement, Transfer pending, Amount amount, Amount released, boolean last) {
    Amount posted = request.kind() == TransferKind.POST ? amount : Amount.ZERO;
    Amount freed = amount.plus(released);
    Integer code = request.code();
    String reference = request.reference();
    return record(
        new Transfer(
            request,
            amount,
            released,
            last,
            place,
            code == null ? pending.code() : code,
            reference == null ? pending.reference() : reference,
            recordedAt(movement),
            resolved(movement.debit().balance(), Side.DEBIT, posted, freed),
            resolved(movement.credit().balance(), Side.CREDIT, posted, freed)));
  }

  private TransferResult record(Transfer transfer) {
    draft.add(transfer);
    return TransferResult.created(transfer);
  }

  private static boolean overflows(AccountBalance before, Side side, Amount amount) {
    Counters counters = before.counters();
    return counters.posted(side).plus(counters.pending(side)).overflowsWith(amount);
  }

  private static @Nullable TransferStatus brokenLimit(
      AccountState account, AccountBalance after, Side moved) {
    if (moved == after.normal()) {
      Balance max = account.limits().maxBalance();
      return max != null && after.reach().compareTo(max) > 0 ? TransferStatus.BALANCE_LIMIT : null;
    }
    Balance min = account.limits().minBalance();
    return min != null && after.spendable().compareTo(min) < 0
        ? TransferStatus.INSUFFICIENT_FUNDS
        : null;
  }

  private static AccountBalance raised(
      AccountBalance before, Side side, Amount amount, boolean pending) {
    Counters counters = before.counters();
    return next(
        before,
        pending
            ? counters.with(side, counters.posted(side), counters.pending(side).plus(amount))
            : counters.with(side, counters.posted(side).plus(amount), counters.pending(side)));
  }

  private static AccountBalance resolved(
      AccountBalance before, Side side, Amount posted, Amount freed) {
    Counters counters = before.counters();
    return next(
        before,
        counters.with(
            side, counters.posted(side).plus(posted), counters.pending(side).minus(freed)));
  }

  private static AccountBalance next(AccountBalance before, Counters counters) {
    return new AccountBalance(
        before.account(), before.asset(), before.normal(), before.version() + 1, counters);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
