package dev.partita.rules;

import static dev.partita.TransferStatus.ACCOUNTS_MUST_DIFFER;
import static dev.partita.TransferStatus.ASSET_MISMATCH;
import static dev.partita.TransferStatus.CREDIT_ACCOUNT_NOT_FOUND;
import static dev.partita.TransferStatus.DEBIT_ACCOUNT_NOT_FOUND;
import static dev.partita.TransferStatus.EXCEEDS_ORIGINAL;
import static dev.partita.TransferStatus.EXCEEDS_PENDING;
import static dev.partita.TransferStatus.EXCEEDS_REMAINING;
import static dev.partita.TransferStatus.GROUP_FAILED;
import static dev.partita.TransferStatus.NOT_PENDING;
import static dev.partita.TransferStatus.NOT_REVERSIBLE;
import static dev.partita.TransferStatus.ORIGINAL_NOT_FOUND;
import static dev.partita.TransferStatus.PENDING_ALREADY_POSTED;
import static dev.partita.TransferStatus.PENDING_ALREADY_VOIDED;
import static dev.partita.TransferStatus.PENDING_DIFFERENT;
import static dev.partita.TransferStatus.PENDING_EXPIRED;
import static dev.partita.TransferStatus.PENDING_NOT_FOUND;
import static dev.partita.TransferStatus.UNKNOWN_ASSET;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.PostItem;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rules of posting: decides what becomes of a transfer, given the books and the time. A pure
 * function but for the draft it adds its records to; no clock, no I/O, no randomness, so that
 * replicas that see the same requests in the same order decide the same.
 */
public final class Bookkeeper {

  private Bookkeeper() {}

  /**
   * Decides one item and adds what it records to the draft.
   *
   * @param now engine time, whole microseconds, read after everything that {@code draft} shows can
   *     no longer change
   * @return one result for each transfer, in order
   */
  public static List<TransferResult> decide(PostItem item, Draft draft, Instant now) {
    return decide(item, draft, index -> now);
  }

  /** As {@link #decide(PostItem, Draft, Instant)} with a time for each transfer by its index. */
  static List<TransferResult> decide(PostItem item, Draft draft, IntFunction<Instant> nowOf) {
    return switch (item) {
      case TransferRequest request ->
          List.of(single(request, null, draft, Objects.requireNonNull(nowOf.apply(0))));
      case GroupRequest group -> group(group.id(), group.members(), draft, nowOf);
      case GroupResolution resolution -> resolve(resolution, draft, nowOf);
    };
  }

  private static List<TransferResult> resolve(
      GroupResolution resolution, Draft draft, IntFunction<Instant> nowOf) {
    List<TransferRequest> members = new ArrayList<>();
    for (Transfer member : draft.group(resolution.groupId())) {
      if (member.kind() == TransferKind.PENDING) {
        UUID id = Ids.memberOf(resolution.id(), members.size());
        members.add(
            resolution.kind() == TransferKind.POST
                ? TransferRequest.capture(id, member.id())
                : TransferRequest.voiding(id, member.id()));
      }
    }
    if (members.isEmpty()) {
      return List.of(TransferResult.refused(resolution.id(), NOT_PENDING, null));
    }
    return group(resolution.id(), members, draft, nowOf);
  }

  private static List<TransferResult> group(
      UUID groupId, List<TransferRequest> members, Draft draft, IntFunction<Instant> nowOf) {
    int existing = 0;
    for (TransferRequest member : members) {
      existing += draft.transfer(member.id()) == null ? 0 : 1;
    }
    if (existing == 0 && draft.group(groupId).isEmpty()) {
      return newGroup(groupId, members, draft, nowOf);
    }
    for (int i = 0; i < members.size(); i++) {
      Transfer stored = draft.transfer(members.get(i).id());
      if (stored != null) {
        GroupRef place = new GroupRef(groupId, i, members.size());
        TransferField field = Equality.firstDifference(members.get(i), place, stored, draft);
        if (field != null) {
          return allFailedBut(
              i, TransferResult.existsDifferent(members.get(i).id(), field), members);
        }
      }
    }
    if (existing < members.size() || draft.group(groupId).size() != members.size()) {
      UUID first = members.getFirst().id();
      return allFailedBut(0, TransferResult.existsDifferent(first, TransferField.GROUP), members);
    }
    List<TransferResult> results = new ArrayList<>(members.size());
    for (TransferRequest member : members) {
      results.add(TransferResult.exists(Objects.requireNonNull(draft.transfer(member.id()))));
    }
    return results;
  }

  private static List<TransferResult> newGroup(
      UUID groupId, List<TransferRequest> members, Draft draft, IntFunction<Instant> nowOf) {
    Draft attempt = new Draft(draft);
    List<TransferResult> results = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      GroupRef place = new GroupRef(groupId, i, members.size());
      Instant now = Objects.requireNonNull(nowOf.apply(i));
      TransferResult result = single(members.get(i), place, attempt, now);
      if (!result.status().isRecorded()) {
        return allFailedBut(i, result, members);
      }
      results.add(result);
    }
    attempt.addAllTo(draft);
    return results;
  }

  private static List<TransferResult> allFailedBut(
      int index, TransferResult reason, List<TransferRequest> members) {
    List<TransferResult> results = new ArrayList<>(members.size());
    for (TransferRequest member : members) {
      results.add(TransferResult.refused(member.id(), GROUP_FAILED, null));
    }
    results.set(index, reason);
    return Collections.unmodifiableList(results);
  }

  private static TransferResult single(
      TransferRequest request, @Nullable GroupRef place, Draft draft, Instant now) {
    Transfer stored = draft.transfer(request.id());
    if (stored != null) {
      TransferField field = Equality.firstDifference(request, place, stored, draft);
      return field == null
          ? TransferResult.exists(stored)
          : TransferResult.existsDifferent(request.id(), field);
    }
    Judgement judgement = new Judgement(request, place, draft, now);
    return switch (request.kind()) {
      case DIRECT, PENDING -> move(judgement);
      case POST, VOID -> resolveHold(judgement);
      case EXPIRY -> expire(judgement);
      case REVERSAL -> reverse(judgement);
    };
  }

  private static TransferResult move(Judgement judgement) {
    TransferRequest request = judgement.request();
    Draft draft = judgement.draft();
    AccountId debitId = Objects.requireNonNull(request.debit());
    AccountId creditId = Objects.requireNonNull(request.credit());
    AssetCode asset = Objects.requireNonNull(request.asset());
    if (debitId.equals(creditId)) {
      return judgement.refused(ACCOUNTS_MUST_DIFFER, debitId);
    }
    if (!draft.hasAsset(asset)) {
      return judgement.refused(UNKNOWN_ASSET, null);
    }
    AccountState debit = draft.account(debitId);
    if (debit == null) {
      return judgement.refused(DEBIT_ACCOUNT_NOT_FOUND, debitId);
    }
    AccountState credit = draft.account(creditId);
    if (credit == null) {
      return judgement.refused(CREDIT_ACCOUNT_NOT_FOUND, creditId);
    }
    if (!debit.asset().equals(asset)) {
      return judgement.refused(ASSET_MISMATCH, debitId);
    }
    if (!credit.asset().equals(asset)) {
      return judgement.refused(ASSET_MISMATCH, creditId);
    }
    Movement movement = new Movement(debit, credit);
    TransferResult closed = judgement.refusedIfClosed(movement);
    if (closed != null) {
      return closed;
    }
    Amount amount = Objects.requireNonNull(request.amount());
    if (request.upTo().covers(Side.DEBIT)) {
      amount = amount.min(debit.room(Side.DEBIT));
    }
    if (request.upTo().covers(Side.CREDIT)) {
      amount = amount.min(credit.room(Side.CREDIT));
    }
    return judgement.recordWithinLimits(movement, amount, false);
  }

  private static TransferResult resolveHold(Judgement judgement) {
    TransferRequest request = judgement.request();
    Draft draft = judgement.draft();
    Transfer pending = draft.transfer(Objects.requireNonNull(request.relatedId()));
    if (pending == null) {
      return judgement.refused(PENDING_NOT_FOUND, null);
    }
    if (pending.kind() != TransferKind.PENDING) {
      return judgement.refused(NOT_PENDING, null);
    }
    AccountId stranger = differentAccount(request, pending);
    boolean otherAsset = request.asset() != null && !request.asset().equals(pending.asset());
    if (stranger != null || otherAsset) {
      return judgement.refused(PENDING_DIFFERENT, stranger);
    }
    Amount asked = request.amount();
    if (asked != null && asked.compareTo(pending.amount()) > 0) {
      return judgement.refused(EXCEEDS_PENDING, null);
    }
    HoldState hold = draft.hold(pending.id());
    TransferStatus ended = endedStatus(hold);
    if (ended != null) {
      return judgement.refused(ended, null);
    }
    Movement movement = accountsOf(pending, draft);
    Instant recordedAt = judgement.recordedAt(movement);
    Instant deadline = pending.deadline();
    if (deadline != null && !recordedAt.isBefore(deadline)) {
      return judgement.refused(PENDING_EXPIRED, null);
    }
    if (request.kind() == TransferKind.VOID) {
      return judgement.recordResolution(movement, pending, hold.remaining(), Amount.ZERO, true);
    }
    Amount amount = asked == null ? hold.remaining() : asked;
    if (amount.compareTo(hold.remaining()) > 0) {
      return judgement.refused(EXCEEDS_REMAINING, null);
    }
    TransferResult closed = judgement.refusedIfClosed(movement);
    if (closed != null) {
      return closed;
    }
    Amount rest = hold.remaining().minus(amount);
    boolean kept = request.keepRemainder() && !rest.isZero();
    return judgement.recordResolution(movement, pending, amount, kept ? Amount.ZERO : rest, !kept);
  }

  /** The engine's own; a refusal here only means that there is nothing to expire, or not yet. */
  private static TransferResult expire(Judgement judgement) {
    Draft draft = judgement.draft();
    Transfer pending = draft.transfer(Objects.requireNonNull(judgement.request().relatedId()));
    if (pending == null) {
      return judgement.refused(PENDING_NOT_FOUND, null);
    }
    Instant deadline = pending.kind() == TransferKind.PENDING ? pending.deadline() : null;
    if (deadline == null) {
      return judgement.refused(NOT_PENDING, null);
    }
    HoldState hold = draft.hold(pending.id());
    TransferStatus ended = endedStatus(hold);
    if (ended != null) {
      return judgement.refused(ended, null);
    }
    if (judgement.now().isBefore(deadline)) {
      return judgement.refused(NOT_PENDING, null);
    }
    return judgement.recordResolution(
        accountsOf(pending, draft), pending, hold.remaining(), Amount.ZERO, true);
  }

  private static TransferResult reverse(Judgement judgement) {
    TransferRequest request = judgement.request();
    Draft draft = judgement.draft();
    Transfer original = draft.transfer(Objects.requireNonNull(request.relatedId()));
    if (original == null) {
      return judgement.refused(ORIGINAL_NOT_FOUND, null);
    }
    if (original.kind() != TransferKind.DIRECT && original.kind() != TransferKind.POST) {
      return judgement.refused(NOT_REVERSIBLE, null);
    }
    if (request.asset() != null && !request.asset().equals(original.asset())) {
      return judgement.refused(ASSET_MISMATCH, null);
    }
    Amount left = original.amount().minus(draft.reversed(original.id()));
    Amount amount = request.amount() == null ? left : request.amount();
    if (left.isZero() || amount.compareTo(left) > 0) {
      return judgement.refused(EXCEEDS_ORIGINAL, null);
    }
    Movement movement = accountsOf(original, draft).reversed();
    TransferResult closed = judgement.refusedIfClosed(movement);
    if (closed != null) {
      return closed;
    }
    return judgement.recordWithinLimits(movement, amount, amount.equals(left));
  }

  private static Movement accountsOf(Transfer related, Books books) {
    AccountState debit = books.account(related.debit());
    AccountState credit = books.account(related.credit());
    if (debit == null || credit == null) {
      throw new CorruptionException("transfer " + related.id() + " is on an account that is gone");
    }
    return new Movement(debit, credit);
  }

  private static @Nullable TransferStatus endedStatus(HoldState hold) {
    TransferKind endedBy = hold.endedBy();
    if (endedBy == null) {
      return null;
    }
    return switch (endedBy) {
      case POST -> PENDING_ALREADY_POSTED;
      case VOID -> PENDING_ALREADY_VOIDED;
      case EXPIRY -> PENDING_EXPIRED;
      case DIRECT, PENDING, REVERSAL ->
          throw new CorruptionException("a hold cannot be ended by a " + endedBy);
    };
  }

  private static @Nullable AccountId differentAccount(TransferRequest request, Transfer pending) {
    AccountId debit = request.debit();
    if (debit != null && !debit.equals(pending.debit())) {
      return debit;
    }
    AccountId credit = request.credit();
    return credit != null && !credit.equals(pending.credit()) ? credit : null;
  }
}
