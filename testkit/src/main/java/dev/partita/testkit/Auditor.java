package dev.partita.testkit;

import static dev.partita.testkit.AuditedAccount.later;

import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnknownAccountException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A second opinion: the rules of the ledger written once more, slowly and obviously, sharing only
 * value types with the engines. It keeps nothing but records; every state is read off them. Told of
 * the same requests at the same times, it answers what an engine must answer.
 *
 * <p>Not safe for use by several threads.
 */
public class Auditor {

  static final BigInteger MAX = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);

  private final AuditorBooks books = new AuditorBooks();
  private final AuditorReads reads = new AuditorReads(books);

  /** An empty ledger's auditor. */
  public Auditor() {}

  /** What the ledger must answer to any question about what it holds. */
  public AuditorReads reads() {
    return reads;
  }

  /** What registering these assets must answer. */
  public List<RegisterResult> register(List<Asset> wanted) {
    List<RegisterResult> results = new ArrayList<>();
    for (Asset asset : wanted) {
      Asset stored = books.assets.putIfAbsent(asset.code(), asset);
      if (stored == null) {
        results.add(new RegisterResult(asset, RegisterResult.Status.CREATED));
      } else if (stored.scale() == asset.scale()) {
        results.add(new RegisterResult(stored, RegisterResult.Status.EXISTS));
      } else {
        results.add(new RegisterResult(stored, RegisterResult.Status.EXISTS_DIFFERENT));
      }
    }
    return results;
  }

  /** What opening these accounts at {@code now} must answer. */
  public List<OpenResult> open(List<NewAccount> wanted, Instant now) {
    List<OpenResult> results = new ArrayList<>();
    for (NewAccount account : wanted) {
      results.add(open(account, now));
    }
    return results;
  }

  private OpenResult open(NewAccount wanted, Instant now) {
    AuditedAccount stored = books.accounts.get(wanted.id());
    if (stored != null) {
      String field = null;
      if (!stored.opened.asset().equals(wanted.asset())) {
        field = "asset";
      } else if (stored.opened.normal() != wanted.normal()) {
        field = "normal";
      } else if (stored.opened.code() != wanted.code()) {
        field = "code";
      }
      return new OpenResult(
          wanted.id(),
          field == null ? OpenResult.Status.EXISTS : OpenResult.Status.EXISTS_DIFFERENT,
          field);
    }
    if (!books.assets.containsKey(wanted.asset())) {
      return new OpenResult(wanted.id(), OpenResult.Status.UNKNOWN_ASSET, null);
    }
    books.accounts.put(wanted.id(), new AuditedAccount(wanted, micros(now)));
    return new OpenResult(wanted.id(), OpenResult.Status.CREATED, null);
  }

  /**
   * What changing an account at {@code now} must answer.
   *
   * @throws UnknownAccountException if there is no such account
   */
  public ChangeResult change(ChangeRequest change, Instant now) {
    AuditedAccount account = books.require(change.account());
    AccountTerms before = account.terms();
    AccountTerms after = change.applyTo(before);
    Long ifChange = change.ifChange();
    ChangeResult.Status status;
    if (after.equals(before)) {
      status = ChangeResult.Status.UNCHANGED;
    } else if (ifChange != null && ifChange != account.changes.size()) {
      status = ChangeResult.Status.CHANGED_MEANWHILE;
    } else if (crossed(after)) {
      status = ChangeResult.Status.LIMITS_CROSSED;
    } else {
      status = ChangeResult.Status.CHANGED;
      account.changes.add(
          new AccountChange(
              change.account(),
              account.changes.size() + 1L,
              before,
              after,
              account.lines.size(),
              later(micros(now), account.latest()),
              change.actor()));
    }
    return new ChangeResult(status, account.view());
  }

  private static boolean crossed(AccountTerms terms) {
    Balance min = terms.limits().minBalance();
    Balance max = terms.limits().maxBalance();
    return min != null && max != null && min.toBigInteger().compareTo(max.toBigInteger()) > 0;
  }

  /** What posting this request at {@code now} must answer. */
  public PostResult post(PostRequest request, Instant now) {
    List<PostResult.Item> items = new ArrayList<>();
    for (PostItem item : request.items()) {
      items.add(
          new PostResult.Item(
              switch (item) {
                case TransferRequest transfer -> List.of(single(transfer, micros(now)));
                case GroupRequest group -> group(group, micros(now));
                case GroupResolution resolution -> resolution(resolution, micros(now));
              }));
    }
    return new PostResult(items);
  }

  /** Which EXPIRY records a call of {@code expireDue} at {@code now} must make. */
  public List<Transfer> expireDue(int limit, Instant now) {
    Instant clock = micros(now);
    List<Transfer> due = new ArrayList<>();
    for (Transfer hold : books.holdsEver) {
      Instant deadline = hold.deadline();
      if (deadline != null && books.endOf(hold) == null && reached(clock, deadline)) {
        due.add(hold);
      }
    }
    due.sort(Comparator.comparing(hold -> Objects.requireNonNull(hold.deadline())));
    List<Transfer> expired = new ArrayList<>();
    for (Transfer hold : due.subList(0, Math.min(limit, due.size()))) {
      BigInteger rest = books.remaining(hold);
      Movement giveBack = new Movement(rest, BigInteger.ZERO, BigInteger.ZERO, rest.negate());
      TransferRequest expiry = TransferRequest.expiry(hold.id());
      expired.add(record(expiry, null, hold, giveBack, true, clock));
    }
    return expired;
  }

  private TransferResult single(TransferRequest request, Instant now) {
    Transfer stored = stored(request.id());
    return stored == null ? judge(request, null, now) : repeated(request, null, stored);
  }

  private List<TransferResult> resolution(GroupResolution resolution, Instant now) {
    List<TransferRequest> members = new ArrayList<>();
    for (Transfer member : books.byGroup.getOrDefault(resolution.groupId(), List.of())) {
      if (member.kind() == TransferKind.PENDING) {
        UUID id = Ids.memberOf(resolution.id(), members.size());
        members.add(
            resolution.kind() == TransferKind.POST
                ? TransferRequest.capture(id, member.id())
                : TransferRequest.voiding(id, member.id()));
      }
    }
    if (members.isEmpty()) {
      return List.of(TransferResult.refused(resolution.id(), TransferStatus.NOT_PENDING, null));
    }
    return group(new GroupRequest(resolution.id(), members), now);
  }

  private List<TransferResult> group(GroupRequest group, Instant now) {
    List<TransferRequest> members = group.members();
    List<TransferResult> repeats = new ArrayList<>();
    int existing = 0;
    int different = -1;
    for (int i = 0; i < members.size(); i++) {
      TransferRequest member = members.get(i);
      Transfer stored = stored(member.id());
      if (stored == null) {
        continue;
      }
      existing++;
      TransferResult repeat = repeated(member, placeOf(group, i), stored);
      repeats.add(repeat);
      if (different < 0 && repeat.status() == TransferStatus.EXISTS_DIFFERENT) {
        different = i;
      }
    }
    int stored = books.byGroup.getOrDefault(group.id(), List.of()).size();
    if (existing == 0 && stored == 0) {
      return decideTogether(group, now);
    }
    if (existing == members.size() && different < 0 && stored == members.size()) {
      return repeats;
    }
    TransferResult culprit =
        different < 0
            ? TransferResult.existsDifferent(members.getFirst().id(), TransferField.GROUP)
            : repeats.stream()
                .filter(repeat -> repeat.status() == TransferStatus.EXISTS_DIFFERENT)
                .findFirst()
                .orElseThrow();
    return allFailedBut(members, Math.max(different, 0), culprit);
  }

  private List<TransferResult> decideTogether(GroupRequest group, Instant now) {
    List<TransferRequest> members = group.members();
    List<TransferResult> results = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      TransferResult result = judge(members.get(i), placeOf(group, i), now);
      if (!result.status().isRecorded()) {
        takeBack(i);
        return allFailedBut(members, i, result);
      }
      results.add(result);
    }
    return results;
  }

  private static GroupRef placeOf(GroupRequest group, int index) {
    return new GroupRef(group.id(), index, group.members().size());
  }

  private static List<TransferResult> allFailedBut(
      List<TransferRequest> members, int exception, TransferResult its) {
    List<TransferResult> results = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      results.add(
          i == exception
              ? its
              : TransferResult.refused(members.get(i).id(), TransferStatus.GROUP_FAILED, null));
    }
    return results;
  }

  private TransferResult repeated(
      TransferRequest request, @Nullable GroupRef place, Transfer stored) {
    UUID relatedId = stored.relatedId();
    Transfer related = relatedId == null ? null : books.byId.get(relatedId);
    TransferField field = Repetition.firstDifference(request, place, stored, related);
    return field == null
        ? TransferResult.exists(stored)
        : TransferResult.existsDifferent(request.id(), field);
  }

  /** Judges and, if nothing stands against it, records a transfer whose id is new. */
  private TransferResult judge(TransferRequest request, @Nullable GroupRef place, Instant now) {
    return switch (request.kind()) {
      case DIRECT, PENDING -> judgeNew(request, place, now);
      case POST, VOID -> judgeResolution(request, place, now);
      case REVERSAL -> judgeReversal(request, place, now);
      case EXPIRY -> throw new IllegalArgumentException("no caller posts an EXPIRY");
    };
  }

  private TransferResult judgeNew(TransferRequest request, @Nullable GroupRef place, Instant now) {
    AssetCode asset = Objects.requireNonNull(request.asset());
    AccountId debitId = Objects.requireNonNull(request.debit());
    AccountId creditId = Objects.requireNonNull(request.credit());
    if (debitId.equals(creditId)) {
      return refuse(request, TransferStatus.ACCOUNTS_MUST_DIFFER, debitId);
    }
    if (!books.assets.containsKey(asset)) {
      return refuse(request, TransferStatus.UNKNOWN_ASSET, null);
    }
    AuditedAccount debit = books.accounts.get(debitId);
    AuditedAccount credit = books.accounts.get(creditId);
    if (debit == null) {
      return refuse(request, TransferStatus.DEBIT_ACCOUNT_NOT_FOUND, debitId);
    }
    if (credit == null) {
      return refuse(request, TransferStatus.CREDIT_ACCOUNT_NOT_FOUND, creditId);
    }
    if (!debit.opened.asset().equals(asset)) {
      return refuse(request, TransferStatus.ASSET_MISMATCH, debitId);
    }
    if (!credit.opened.asset().equals(asset)) {
      return refuse(request, TransferStatus.ASSET_MISMATCH, creditId);
    }
    TransferResult closed = refusalOfClosed(request, debit, credit);
    if (closed != null) {
      return closed;
    }
    BigInteger amount = Objects.requireNonNull(request.amount()).toBigInteger();
    if (request.upTo().covers(Side.DEBIT)) {
      amount = amount.min(debit.room(Side.DEBIT));
    }
    if (request.upTo().covers(Side.CREDIT)) {
      amount = amount.min(credit.room(Side.CREDIT));
    }
    TransferResult tooMuch = refusalOfAmount(request, debit, credit, amount);
    if (tooMuch != null) {
      return tooMuch;
    }
    BigInteger zero = BigInteger.ZERO;
    Movement movement =
        request.kind() == TransferKind.DIRECT
            ? new Movement(amount, zero, amount, zero)
            : new Movement(amount, zero, zero, amount);
    return TransferResult.created(
        record(request, place, debit, credit, null, movement, false, now));
  }

  private TransferResult judgeResolution(
      TransferRequest request, @Nullable GroupRef place, Instant now) {
    Transfer hold = books.byId.get(request.relatedId());
    if (hold == null) {
      return refuse(request, TransferStatus.PENDING_NOT_FOUND, null);
    }
    if (hold.kind() != TransferKind.PENDING) {
      return refuse(request, TransferStatus.NOT_PENDING, null);
    }
    if (isOther(request.debit(), hold.debit())) {
      return refuse(request, TransferStatus.PENDING_DIFFERENT, request.debit());
    }
    if (isOther(request.credit(), hold.credit())) {
      return refuse(request, TransferStatus.PENDING_DIFFERENT, request.credit());
    }
    if (isOther(request.asset(), hold.asset())) {
      return refuse(request, TransferStatus.PENDING_DIFFERENT, null);
    }
    Amount wanted = request.amount();
    if (wanted != null && wanted.toBigInteger().compareTo(hold.amount().toBigInteger()) > 0) {
      return refuse(request, TransferStatus.EXCEEDS_PENDING, null);
    }
    AuditedAccount debit = books.require(hold.debit());
    AuditedAccount credit = books.require(hold.credit());
    TransferStatus ended = endStatus(hold, recordedAt(debit, credit, now));
    if (ended != null) {
      return refuse(request, ended, null);
    }
    BigInteger rest = books.remaining(hold);
    if (wanted != null && wanted.toBigInteger().compareTo(rest) > 0) {
      return refuse(request, TransferStatus.EXCEEDS_REMAINING, null);
    }
    if (request.kind() == TransferKind.VOID) {
      Movement giveBack = new Movement(rest, BigInteger.ZERO, BigInteger.ZERO, rest.negate());
      return TransferResult.created(record(request, place, hold, giveBack, true, now));
    }
    TransferResult closed = refusalOfClosed(request, debit, credit);
    if (closed != null) {
      return closed;
    }
    BigInteger captured = wanted == null ? rest : wanted.toBigInteger();
    BigInteger left = rest.subtract(captured);
    BigInteger released = request.keepRemainder() ? BigInteger.ZERO : left;
    boolean stays = request.keepRemainder() && left.signum() > 0;
    Movement capture = new Movement(captured, released, captured, captured.add(released).negate());
    return TransferResult.created(record(request, place, hold, capture, !stays, now));
  }

  private TransferResult judgeReversal(
      TransferRequest request, @Nullable GroupRef place, Instant now) {
    Transfer original = books.byId.get(request.relatedId());
    if (original == null) {
      return refuse(request, TransferStatus.ORIGINAL_NOT_FOUND, null);
    }
    if (original.kind() != TransferKind.DIRECT && original.kind() != TransferKind.POST) {
      return refuse(request, TransferStatus.NOT_REVERSIBLE, null);
    }
    if (isOther(request.asset(), original.asset())) {
      return refuse(request, TransferStatus.ASSET_MISMATCH, null);
    }
    BigInteger left = original.amount().toBigInteger();
    for (Transfer earlier : books.related(original.id())) {
      left = left.subtract(earlier.amount().toBigInteger());
    }
    Amount wanted = request.amount();
    BigInteger amount = wanted == null ? left : wanted.toBigInteger();
    if (left.signum() == 0 || amount.compareTo(left) > 0) {
      return refuse(request, TransferStatus.EXCEEDS_ORIGINAL, null);
    }
    AuditedAccount debit = books.require(original.credit());
    AuditedAccount credit = books.require(original.debit());
    TransferResult closed = refusalOfClosed(request, debit, credit);
    if (closed != null) {
      return closed;
    }
    TransferResult tooMuch = refusalOfAmount(request, debit, credit, amount);
    if (tooMuch != null) {
      return tooMuch;
    }
    Movement back = new Movement(amount, BigInteger.ZERO, amount, BigInteger.ZERO);
    boolean last = amount.equals(left);
    return TransferResult.created(record(request, place, debit, credit, null, back, last, now));
  }

  private static @Nullable TransferResult refusalOfClosed(
      TransferRequest request, AuditedAccount debit, AuditedAccount credit) {
    if (debit.closed()) {
      return refuse(request, TransferStatus.DEBIT_ACCOUNT_CLOSED, debit.opened.id());
    }
    if (credit.closed()) {
      return refuse(request, TransferStatus.CREDIT_ACCOUNT_CLOSED, credit.opened.id());
    }
    return null;
  }

  private @Nullable TransferResult refusalOfAmount(
      TransferRequest request, AuditedAccount debit, AuditedAccount credit, BigInteger amount) {
    if (overflows(debit, Side.DEBIT, amount)) {
      return refuse(request, TransferStatus.OVERFLOW, debit.opened.id());
    }
    if (overflows(credit, Side.CREDIT, amount)) {
      return refuse(request, TransferStatus.OVERFLOW, credit.opened.id());
    }
    TransferStatus atDebit = brokenLimit(debit, Side.DEBIT, amount);
    if (atDebit != null) {
      return refuse(request, atDebit, debit.opened.id());
    }
    TransferStatus atCredit = brokenLimit(credit, Side.CREDIT, amount);
    if (atCredit != null) {
      return refuse(request, atCredit, credit.opened.id());
    }
    return null;
  }

  private static boolean overflows(AuditedAccount account, Side side, BigInteger amount) {
    return account.posted(side).add(account.pending(side)).add(amount).compareTo(MAX) > 0;
  }

  /** The limit of the moved side alone; the other is not looked at. */
  @Nullable TransferStatus brokenLimit(AuditedAccount account, Side side, BigInteger amount) {
    if (amount.signum() == 0) {
      return null;
    }
    if (side == account.out()) {
      Balance min = account.terms().limits().minBalance();
      BigInteger after = account.spendable().subtract(amount);
      return min != null && after.compareTo(min.toBigInteger()) < 0
          ? TransferStatus.INSUFFICIENT_FUNDS
          : null;
    }
    Balance max = account.terms().limits().maxBalance();
    BigInteger after = account.reach().add(amount);
    return max != null && after.compareTo(max.toBigInteger()) > 0
        ? TransferStatus.BALANCE_LIMIT
        : null;
  }

  /** What stands against resolving a hold by a record of that time, or null. */
  private @Nullable TransferStatus endStatus(Transfer hold, Instant recordedAt) {
    Transfer end = books.endOf(hold);
    if (end != null) {
      return switch (end.kind()) {
        case POST -> TransferStatus.PENDING_ALREADY_POSTED;
        case VOID -> TransferStatus.PENDING_ALREADY_VOIDED;
        case EXPIRY -> TransferStatus.PENDING_EXPIRED;
        case DIRECT, PENDING, REVERSAL ->
            throw new IllegalStateException("a " + end.kind() + " ended " + hold);
      };
    }
    Instant deadline = hold.deadline();
    return deadline != null && reached(recordedAt, deadline)
        ? TransferStatus.PENDING_EXPIRED
        : null;
  }

  /** Whether a time is at or after a deadline. */
  boolean reached(Instant time, Instant deadline) {
    return !time.isBefore(deadline);
  }

  /**
   * What a record does to the debit counters of the debited and the credit counters of the credited
   * account.
   */
  record Movement(
      BigInteger amount, BigInteger released, BigInteger postedBy, BigInteger pendingBy) {}

  /** Records a resolution of a hold, which lends it its accounts, code and reference. */
  private Transfer record(
      TransferRequest request,
      @Nullable GroupRef place,
      Transfer hold,
      Movement movement,
      boolean last,
      Instant now) {
    return record(
        request,
        place,
        books.require(hold.debit()),
        books.require(hold.credit()),
        hold,
        movement,
        last,
        now);
  }

  private Transfer record(
      TransferRequest request,
      @Nullable GroupRef place,
      AuditedAccount debit,
      AuditedAccount credit,
      @Nullable Transfer hold,
      Movement movement,
      boolean last,
      Instant now) {
    Integer code = request.code();
    String reference = request.reference();
    if (hold != null) {
      code = code == null ? Integer.valueOf(hold.code()) : code;
      reference = reference == null ? hold.reference() : reference;
    }
    Transfer transfer =
        new Transfer(
            request,
            Amount.ofMinor(movement.amount()),
            Amount.ofMinor(movement.released()),
            last,
            place,
            code == null ? 0 : code,
            reference,
            recordedAt(debit, credit, now),
            debit.moved(Side.DEBIT, movement.postedBy(), movement.pendingBy()),
            credit.moved(Side.CREDIT, movement.postedBy(), movement.pendingBy()));
    append(transfer);
    return transfer;
  }

  /** The time a record on these accounts would get. */
  Instant recordedAt(AuditedAccount debit, AuditedAccount credit, Instant now) {
    return later(now, later(debit.latest(), credit.latest()));
  }

  /** Adds a record. */
  void append(Transfer transfer) {
    books.append(transfer);
  }

  /** Takes the last records back. */
  void takeBack(int count) {
    books.takeBack(count);
  }

  /** What has been recorded so far. */
  AuditorBooks books() {
    return books;
  }

  /** The record with this id, or null. */
  @Nullable Transfer stored(UUID id) {
    return books.stored(id);
  }

  /** Engine time has whole microseconds. */
  static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  private static <T> boolean isOther(@Nullable T named, T hold) {
    return named != null && !named.equals(hold);
  }

  private static TransferResult refuse(
      TransferRequest request, TransferStatus status, @Nullable AccountId account) {
    return TransferResult.refused(request.id(), status, account);
  }
}
