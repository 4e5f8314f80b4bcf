package dev.partita.postgres;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Metadata;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Records of every kind with whatever values their fields may have. They are not what a ledger
 * would have decided, only what it could store.
 */
final class RandomRecords {

  private static final List<TransferKind> KINDS = List.of(TransferKind.values());
  private static final List<UpTo> SIDES = List.of(UpTo.values());
  private static final List<Instant> TIMES =
      List.of(
          Instant.parse("0001-01-01T00:00:00Z"),
          Instant.parse("0001-01-01T00:00:00.000001Z"),
          Instant.parse("1582-10-10T12:00:00Z"),
          Instant.parse("1969-12-31T23:59:59.999999Z"),
          Instant.EPOCH,
          Instant.parse("1999-12-31T23:59:59.999999Z"),
          Instant.parse("2000-01-01T00:00:00Z"),
          Instant.parse("2026-03-29T01:30:00Z"),
          Instant.parse("9999-12-31T23:59:59.999999Z"));
  private static final long MICROS_MIN = -62_135_596_800_000_000L;
  private static final long MICROS_MAX = 253_402_300_799_999_999L;
  private static final String NASTY =
      "'\"\\{}[](),;:/%$ \tNULLnull\u007f\u0085\u00a0é\u0301中\u2028\uffff\ufffe";

  private final Random random;
  private final AccountId debit;
  private final AccountId credit;
  private long version;

  RandomRecords(Random random, String debit, String credit) {
    this.random = random;
    this.debit = AccountId.of(debit);
    this.credit = AccountId.of(credit);
  }

  Transfer next() {
    TransferKind kind = KINDS.get(random.nextInt(KINDS.size()));
    TransferRequest request = request(kind);
    boolean limited = request.upTo() != UpTo.NONE;
    Amount moved = request.amount() == null || limited ? amount() : request.amount();
    version++;
    return new Transfer(
        request,
        moved,
        kind == TransferKind.POST ? amount() : Amount.ZERO,
        random.nextBoolean(),
        random.nextInt(3) == 0 ? group() : null,
        request.code() == null ? random.nextInt(65_536) : request.code(),
        request.reference() == null && random.nextBoolean() ? reference() : request.reference(),
        time(),
        after(debit, Side.DEBIT),
        after(credit, Side.CREDIT));
  }

  private TransferRequest request(TransferKind kind) {
    boolean related = kind.isRelated();
    boolean resolves = kind.resolvesHold();
    boolean named = !related || (kind != TransferKind.REVERSAL && random.nextBoolean());
    boolean amountless = kind == TransferKind.VOID || kind == TransferKind.EXPIRY;
    Amount amount = amountless || (related && random.nextBoolean()) ? null : amount();
    boolean keeps =
        kind == TransferKind.POST && random.nextBoolean() && (amount == null || !amount.isZero());
    return new TransferRequest(
        UUID.randomUUID(),
        kind,
        related ? new UUID(random.nextLong(), random.nextLong()) : null,
        !related || random.nextBoolean() ? Stage.EUR : null,
        named ? debit : null,
        named ? credit : null,
        amount,
        related ? UpTo.NONE : SIDES.get(random.nextInt(SIDES.size())),
        keeps,
        kind == TransferKind.PENDING && random.nextBoolean()
            ? 1 + random.nextInt(Integer.MAX_VALUE)
            : null,
        random.nextBoolean() ? time() : null,
        resolves && random.nextBoolean() ? null : random.nextInt(65_536),
        random.nextBoolean() ? reference() : null,
        random.nextBoolean() ? metadata() : Metadata.EMPTY);
  }

  private AccountBalance after(AccountId account, Side normal) {
    return new AccountBalance(
        account, Stage.EUR, normal, version, new Counters(amount(), amount(), amount(), amount()));
  }

  private GroupRef group() {
    int size = 1 + random.nextInt(10_000);
    return new GroupRef(UUID.randomUUID(), random.nextInt(size), size);
  }

  /** Around the powers of ten at which a NUMERIC gets another digit, and of two. */
  Amount amount() {
    BigInteger near =
        switch (random.nextInt(5)) {
          case 0 -> BigInteger.ZERO;
          case 1 ->
              BigInteger.TEN
                  .pow(4 * random.nextInt(10))
                  .multiply(BigInteger.valueOf(1 + random.nextInt(9)));
          case 2 -> BigInteger.TEN.pow(random.nextInt(39));
          case 3 -> BigInteger.TWO.pow(random.nextInt(128));
          default -> new BigInteger(random.nextInt(128), random);
        };
    BigInteger value = near.add(BigInteger.valueOf(random.nextInt(3) - 1));
    return Amount.ofMinor(value.max(BigInteger.ZERO).min(Amount.MAX.toBigInteger()));
  }

  Metadata metadata() {
    Map<String, String> entries = new TreeMap<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      StringBuilder value = new StringBuilder();
      int length = random.nextInt(40);
      while (value.length() < length) {
        // Control characters are allowed here, NUL is not.
        value.appendCodePoint(random.nextInt(4) == 0 ? 1 + random.nextInt(31) : codePoint());
      }
      entries.put(
          random.nextInt(3) == 0 ? "k" + i : "K._-" + random.nextInt(1_000), value.toString());
    }
    return Metadata.of(entries);
  }

  private String reference() {
    if (random.nextInt(10) == 0) {
      return List.of("NULL", "null", "\"", "\\", "{}", "{", "}", ",", "'", "\\\"", " ")
          .get(random.nextInt(11));
    }
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 255 : 20);
    for (int i = 0; i < length; i++) {
      int codePoint = codePoint();
      text.appendCodePoint(Character.isISOControl(codePoint) ? '_' : codePoint);
    }
    return text.toString();
  }

  private int codePoint() {
    int codePoint =
        switch (random.nextInt(4)) {
          case 0 -> 32 + random.nextInt(95);
          case 1 -> NASTY.charAt(random.nextInt(NASTY.length()));
          case 2 -> random.nextInt(0x800);
          default -> random.nextInt(Character.MAX_CODE_POINT + 1);
        };
    boolean storable = codePoint != 0 && (codePoint < 0xD800 || codePoint > 0xDFFF);
    return storable ? codePoint : '\\';
  }

  private Instant time() {
    if (random.nextInt(3) == 0) {
      return TIMES.get(random.nextInt(TIMES.size()));
    }
    long micros = random.nextLong(MICROS_MIN, MICROS_MAX + 1);
    return Instant.EPOCH
        .plusSeconds(Math.floorDiv(micros, 1_000_000L))
        .plusNanos(Math.floorMod(micros, 1_000_000L) * 1_000L);
  }
}
