package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random single transfers, and old ones with one thing changed. */
final class RandomTransfers {

  private static final List<TransferField> FIELDS = List.of(TransferField.values());
  private static final List<UpTo> UP_TO = List.of(UpTo.values());

  private final Random random;
  private final AuditorBooks books;
  private final Map<UUID, String> names = new HashMap<>();
  private final List<UUID> holds = new ArrayList<>();
  private final List<UUID> reversible = new ArrayList<>();

  RandomTransfers(Random random, AuditorBooks books) {
    this.random = random;
    this.books = books;
  }

  Map<UUID, String> names() {
    return names;
  }

  UUID newId(String prefix) {
    String name = prefix + names.size();
    UUID id = ScenarioText.id(name);
    names.put(id, name);
    return id;
  }

  TransferRequest next() {
    return next(100);
  }

  /**
   * The lower {@code kinds} is, the more likely a transfer is one that needs no other before it.
   */
  TransferRequest next(int kinds) {
    int dice = random.nextInt(kinds);
    if (dice < 36) {
      return movement(TransferKind.DIRECT);
    }
    if (dice < 62) {
      return movement(TransferKind.PENDING);
    }
    if (dice < 82) {
      return capture();
    }
    if (dice < 89) {
      return frills(TransferRequest.voiding(newId("v"), holdToResolve()));
    }
    return reversal();
  }

  private TransferRequest movement(TransferKind kind) {
    AuditedAccount debit = account();
    AuditedAccount credit = account();
    for (int i = 0; i < 20 && !fit(debit, credit); i++) {
      credit = account();
    }
    AccountId debitId = debit.opened.id();
    AccountId creditId = credit.opened.id();
    AssetCode asset = debit.opened.asset();
    switch (random.nextInt(120)) {
      case 0 -> creditId = debitId;
      case 1 -> creditId = new AccountId("nobody");
      case 2 -> debitId = new AccountId("nobody");
      case 3 -> asset = new AssetCode("XXX");
      case 4 -> asset = credit.opened.asset();
      case 5 -> creditId = account().opened.id();
      default -> {}
    }
    Amount amount = amount(debit, credit);
    TransferRequest request;
    if (kind == TransferKind.DIRECT) {
      UUID id = newId("t");
      reversible.add(id);
      request = TransferRequest.direct(id, asset, debitId, creditId, amount);
    } else {
      UUID id = newId("h");
      holds.add(id);
      request = TransferRequest.pending(id, asset, debitId, creditId, amount);
      if (random.nextBoolean()) {
        request =
            request.timeoutSeconds(
                random.nextInt(40) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(40));
      }
    }
    if (random.nextInt(4) == 0) {
      request = request.upTo(UP_TO.get(random.nextInt(UP_TO.size())));
    }
    return frills(request);
  }

  private static boolean fit(AuditedAccount debit, AuditedAccount credit) {
    return !debit.opened.id().equals(credit.opened.id())
        && debit.opened.asset().equals(credit.opened.asset());
  }

  private AuditedAccount account() {
    List<AuditedAccount> accounts = books.opened();
    return accounts.get(random.nextInt(accounts.size()));
  }

  /** Mostly small, often close to what there is room for, and in one asset now and then huge. */
  private Amount amount(AuditedAccount debit, AuditedAccount credit) {
    BigInteger amount =
        switch (random.nextInt(12)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> near(debit.room(Side.DEBIT));
          case 2 -> near(credit.room(Side.CREDIT));
          case 3 -> BigInteger.valueOf(random.nextInt(1_000_000));
          case 4 ->
              debit.opened.asset().value().equals("WEI")
                  ? huge(debit, credit)
                  : BigInteger.valueOf(random.nextInt(500));
          default -> BigInteger.valueOf(random.nextInt(120));
        };
    return Amount.ofMinor(amount.max(BigInteger.ZERO).min(Auditor.MAX));
  }

  private BigInteger huge(AuditedAccount debit, AuditedAccount credit) {
    return switch (random.nextInt(6)) {
      case 0 -> Auditor.MAX;
      case 1 -> near(Auditor.MAX.subtract(total(debit, Side.DEBIT)));
      case 2 -> near(Auditor.MAX.subtract(total(credit, Side.CREDIT)));
      default -> new BigInteger(40 + random.nextInt(80), random);
    };
  }

  private static BigInteger total(AuditedAccount account, Side side) {
    return account.posted(side).add(account.pending(side));
  }

  private BigInteger near(BigInteger value) {
    return value.add(BigInteger.valueOf(random.nextInt(3) - 1L));
  }

  private TransferRequest capture() {
    UUID id = newId("p");
    reversible.add(id);
    UUID holdId = holdToResolve();
    TransferRequest request = TransferRequest.capture(id, holdId);
    Transfer hold = books.stored(holdId);
    if (random.nextBoolean()) {
      BigInteger rest = hold == null ? BigInteger.TEN : books.remaining(hold);
      BigInteger whole = hold == null ? BigInteger.TEN : hold.amount().toBigInteger();
      request = request.amount(partOf(rest, whole));
    }
    Amount amount = request.amount();
    if (random.nextBoolean() && (amount == null || !amount.isZero())) {
      request = request.keepRemainder(true);
    }
    return frills(request);
  }

  private Amount partOf(BigInteger rest, BigInteger whole) {
    BigInteger part =
        switch (random.nextInt(8)) {
          case 0 -> near(rest);
          case 1 -> near(whole);
          case 2 -> BigInteger.ZERO;
          case 3 -> rest;
          case 4 -> rest.add(whole).shiftRight(1);
          default -> rest.multiply(BigInteger.valueOf(random.nextInt(100))).shiftRight(7);
        };
    return Amount.ofMinor(part.max(BigInteger.ZERO).min(Auditor.MAX));
  }

  private TransferRequest reversal() {
    UUID originalId = toReverse();
    TransferRequest request = TransferRequest.reversal(newId("r"), originalId);
    Transfer original = books.stored(originalId);
    if (original != null && random.nextBoolean()) {
      BigInteger left = original.amount().toBigInteger();
      for (Transfer earlier : books.related(originalId)) {
        left = left.subtract(earlier.amount().toBigInteger());
      }
      request = request.amount(partOf(left, original.amount().toBigInteger()));
    }
    return frills(request);
  }

  /** Mostly one that is recorded, often one that is still open. */
  private UUID holdToResolve() {
    List<Transfer> recorded = books.holdsEver;
    if (random.nextInt(6) == 0 || recorded.isEmpty()) {
      return related(holds, "h");
    }
    Transfer hold = recorded.getLast();
    for (int i = 0; i < 4; i++) {
      hold = recorded.get(recorded.size() - 1 - random.nextInt(Math.min(recorded.size(), 40)));
      if (books.endOf(hold) == null) {
        break;
      }
    }
    return hold.id();
  }

  private UUID toReverse() {
    List<Transfer> records = books.records();
    if (random.nextInt(6) == 0 || records.isEmpty()) {
      return related(reversible, "t");
    }
    Transfer original = records.getLast();
    for (int i = 0; i < 6 && !original.movesPosted(); i++) {
      original = records.get(records.size() - 1 - random.nextInt(Math.min(records.size(), 60)));
    }
    return original.id();
  }

  /** Mostly a recent id of the right kind, now and then any record or none. */
  private UUID related(List<UUID> candidates, String prefix) {
    List<Transfer> records = books.records();
    int dice = random.nextInt(20);
    if (dice == 0 || candidates.isEmpty()) {
      return newId(prefix);
    }
    if (dice < 3 && !records.isEmpty()) {
      return records.get(random.nextInt(records.size())).id();
    }
    int recent = Math.min(candidates.size(), dice < 12 ? 8 : 60);
    return candidates.get(candidates.size() - 1 - random.nextInt(recent));
  }

  private TransferRequest frills(TransferRequest start) {
    TransferRequest request = start;
    if (random.nextInt(6) == 0) {
      request = request.effectiveAt(effectiveAt());
    }
    if (random.nextInt(4) == 0) {
      request = request.code(random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      request = request.reference("r" + random.nextInt(5));
    }
    if (random.nextInt(10) == 0) {
      request = request.metadata(Metadata.of(Map.of("k", "v" + random.nextInt(2))));
    }
    UUID relatedId = request.relatedId();
    Transfer related = relatedId == null ? null : books.stored(relatedId);
    if (related != null && random.nextInt(5) == 0) {
      request = named(request, related);
    }
    return request;
  }

  /** Names what may be left out, mostly as it is. */
  private TransferRequest named(TransferRequest start, Transfer related) {
    TransferRequest request = start;
    if (random.nextBoolean()) {
      request = request.asset(random.nextInt(8) == 0 ? new AssetCode("BTC") : related.asset());
    }
    if (request.kind().resolvesHold() && random.nextBoolean()) {
      request =
          request.accounts(
              random.nextInt(3) == 0 ? null : oneOf(related.debit()),
              random.nextInt(3) == 0 ? null : oneOf(related.credit()));
    }
    if (request.kind().resolvesHold() && random.nextBoolean()) {
      request = request.code(related.code());
      String reference = related.reference();
      request = reference == null ? request : request.reference(reference);
    }
    return request;
  }

  private AccountId oneOf(AccountId right) {
    return random.nextInt(8) == 0 ? account().opened.id() : right;
  }

  private Instant effectiveAt() {
    return ManualClock.START.plusSeconds(random.nextInt(4_000) - 2_000L);
  }

  /** The same id with one thing changed, or with what may be left out added or left out. */
  TransferRequest almost(TransferRequest old) {
    try {
      return changed(old, FIELDS.get(random.nextInt(FIELDS.size())));
    } catch (MisuseException e) {
      // That kind has no such field: the repeat stays an exact one.
      return old;
    }
  }

  private TransferRequest changed(TransferRequest old, TransferField field) {
    Transfer stored = books.stored(old.id());
    return switch (field) {
      case KIND -> ofKind(old);
      case RELATED_ID -> old.relatedId() == null ? old : relatedTo(old, holdToResolve());
      case UP_TO -> old.upTo(UP_TO.get(random.nextInt(UP_TO.size())));
      case KEEP_REMAINDER -> old.keepRemainder(!old.keepRemainder());
      case TIMEOUT -> old.timeoutSeconds(1 + random.nextInt(40));
      case ASSET ->
          old.asset(stored == null || random.nextBoolean() ? new AssetCode("BTC") : stored.asset());
      case DEBIT -> old.accounts(otherOr(stored, Side.DEBIT), old.credit());
      case CREDIT -> old.accounts(old.debit(), otherOr(stored, Side.CREDIT));
      case AMOUNT -> old.amount(otherAmount(old, stored));
      case EFFECTIVE_AT -> old.effectiveAt(effectiveAt());
      case CODE ->
          old.code(stored != null && random.nextBoolean() ? stored.code() : random.nextInt(3));
      case REFERENCE -> old.reference(otherReference(stored));
      case METADATA -> old.metadata(Metadata.EMPTY);
      case GROUP -> old;
    };
  }

  private AccountId otherOr(@Nullable Transfer stored, Side side) {
    return stored == null || random.nextBoolean()
        ? account().opened.id()
        : stored.after(side).account();
  }

  private Amount otherAmount(TransferRequest old, @Nullable Transfer stored) {
    if (stored != null && random.nextBoolean()) {
      return stored.amount();
    }
    Amount amount = old.amount();
    BigInteger value = amount == null ? BigInteger.ONE : amount.toBigInteger();
    return Amount.ofMinor(near(value).max(BigInteger.ZERO).min(Auditor.MAX));
  }

  private String otherReference(@Nullable Transfer stored) {
    String reference = stored == null ? null : stored.reference();
    return reference != null && random.nextBoolean() ? reference : "r" + random.nextInt(5);
  }

  private TransferRequest ofKind(TransferRequest old) {
    TransferKind kind =
        switch (old.kind()) {
          case DIRECT -> TransferKind.PENDING;
          case PENDING -> TransferKind.DIRECT;
          case POST -> TransferKind.VOID;
          case VOID -> TransferKind.POST;
          case REVERSAL -> TransferKind.POST;
          case EXPIRY -> throw new IllegalArgumentException("nobody posts an EXPIRY");
        };
    return copy(old, kind, old.relatedId());
  }

  private static TransferRequest relatedTo(TransferRequest old, UUID relatedId) {
    return copy(old, old.kind(), relatedId);
  }

  private static TransferRequest copy(
      TransferRequest old, TransferKind kind, @Nullable UUID relatedId) {
    return new TransferRequest(
        old.id(),
        kind,
        relatedId,
        old.asset(),
        old.debit(),
        old.credit(),
        kind == TransferKind.VOID ? null : old.amount(),
        old.upTo(),
        old.keepRemainder() && kind == TransferKind.POST,
        kind == TransferKind.PENDING ? old.timeoutSeconds() : null,
        old.effectiveAt(),
        old.code(),
        old.reference(),
        old.metadata());
  }
}
