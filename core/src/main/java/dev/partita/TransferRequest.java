package dev.partita;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer as its caller asks for it; the ledger keeps it as given, an absent field as absent.
 * Made with {@link #direct}, {@link #pending}, {@link #capture}, {@link #voiding}, {@link
 * #reversal}, which name the fields that each kind has.
 *
 * @param id chosen by the caller before the first attempt, see {@link Ids}
 * @param kind what it does
 * @param relatedId the hold that a POST or VOID resolves, the transfer that a REVERSAL undoes
 * @param asset required for DIRECT and PENDING; otherwise, if named, must be the related record's
 * @param debit account to debit; for POST and VOID, if named, must be the hold's; not for REVERSAL
 * @param credit account to credit, likewise
 * @param amount what to move; absent on POST and REVERSAL for all that is left; a VOID has none
 * @param upTo for DIRECT and PENDING, whose room limits the amount
 * @param keepRemainder for POST: what is not captured stays held
 * @param timeoutSeconds for PENDING: 1 … 2^31−1, absent: never expires
 * @param effectiveAt the instant the movement counts for, whole microseconds, years 0001–9999
 * @param code 0–65535; absent on POST and VOID for the hold's, on others 0
 * @param reference 1–255 code points without control characters, not unique; absent on POST and
 *     VOID for the hold's
 * @param metadata the caller's notes
 */
public record TransferRequest(
    UUID id,
    TransferKind kind,
    @Nullable UUID relatedId,
    @Nullable AssetCode asset,
    @Nullable AccountId debit,
    @Nullable AccountId credit,
    @Nullable Amount amount,
    UpTo upTo,
    boolean keepRemainder,
    @Nullable Integer timeoutSeconds,
    @Nullable Instant effectiveAt,
    @Nullable Integer code,
    @Nullable String reference,
    Metadata metadata)
    implements PostItem {

  /** Most code points of a reference. */
  public static final int REFERENCE_MAX = 255;

  /** The highest code. */
  public static final int CODE_MAX = 65_535;

  private static final Instant EFFECTIVE_MIN = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant EFFECTIVE_MAX = Instant.parse("9999-12-31T23:59:59.999999Z");

  /**
   * Checks every field and their combination.
   *
   * @throws MisuseException naming the field
   */
  public TransferRequest {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(upTo, "upTo");
    Objects.requireNonNull(metadata, "metadata");
    Ids.requireUsable("id", id);
    boolean mayBeEngineMade = kind.resolvesHold();
    if (!mayBeEngineMade) {
      Ids.requireCallers("id", id);
    }
    if (kind.isRelated()) {
      checkRelated(kind, relatedId, upTo, timeoutSeconds);
    } else {
      checkUnrelated(kind, relatedId, asset, debit, credit);
      require(amount != null, "amount", kind, "is required for");
      require(!keepRemainder, "keepRemainder", kind, "is not for");
    }
    if (kind == TransferKind.REVERSAL) {
      require(debit == null, "debit", kind, "comes from the original of");
      require(credit == null, "credit", kind, "comes from the original of");
    }
    require(kind == TransferKind.POST || !keepRemainder, "keepRemainder", kind, "is not for");
    if (keepRemainder && amount != null && amount.isZero()) {
      throw new MisuseException("amount", "a capture of 0 that keeps the remainder does nothing");
    }
    if (kind == TransferKind.VOID || kind == TransferKind.EXPIRY) {
      require(amount == null, "amount", kind, "is all that remains for");
    }
    if (timeoutSeconds != null && timeoutSeconds < 1) {
      throw new MisuseException("timeout", "must be 1 … 2147483647 seconds, was " + timeoutSeconds);
    }
    require(timeoutSeconds == null || kind == TransferKind.PENDING, "timeout", kind, "is not for");
    if (effectiveAt != null) {
      checkEffectiveAt(effectiveAt);
    }
    if (code != null) {
      requireCode(code);
    } else if (!kind.resolvesHold()) {
      code = 0;
    }
    if (reference != null) {
      Texts.requireLine("reference", reference, REFERENCE_MAX);
    }
  }

  /** A transfer that moves {@code amount} at once. */
  public static TransferRequest direct(
      UUID id, AssetCode asset, AccountId debit, AccountId credit, Amount amount) {
    return plain(id, TransferKind.DIRECT, asset, debit, credit, amount);
  }

  /** A hold of {@code amount} that never expires; see {@link #timeoutSeconds(int)}. */
  public static TransferRequest pending(
      UUID id, AssetCode asset, AccountId debit, AccountId credit, Amount amount) {
    return plain(id, TransferKind.PENDING, asset, debit, credit, amount);
  }

  /** A capture of all that remains of a hold; see {@link #amount(Amount)}. */
  public static TransferRequest capture(UUID id, UUID holdId) {
    return related(id, TransferKind.POST, holdId);
  }

  /** Gives back all that remains of a hold. */
  public static TransferRequest voiding(UUID id, UUID holdId) {
    return related(id, TransferKind.VOID, holdId);
  }

  /** Undoes all that is left of a DIRECT or POST; see {@link #amount(Amount)}. */
  public static TransferRequest reversal(UUID id, UUID originalId) {
    return related(id, TransferKind.REVERSAL, originalId);
  }

  /** The engine's own record that a hold has expired. Callers cannot post it. */
  public static TransferRequest expiry(UUID holdId) {
    return related(Ids.expiryOf(holdId), TransferKind.EXPIRY, holdId);
  }

  /** This request with an amount. */
  public TransferRequest amount(Amount value) {
    return changed(fields -> fields.amount = value);
  }

  /** This request with the asset named. */
  public TransferRequest asset(AssetCode value) {
    return changed(fields -> fields.asset = value);
  }

  /** This request with both accounts named. */
  public TransferRequest accounts(@Nullable AccountId debitValue, @Nullable AccountId creditValue) {
    return changed(
        fields -> {
          fields.debit = debitValue;
          fields.credit = creditValue;
        });
  }

  /** This request with its amount as a maximum. */
  public TransferRequest upTo(UpTo value) {
    return changed(fields -> fields.upTo = value);
  }

  /** This capture with what it leaves kept on hold. */
  public TransferRequest keepRemainder(boolean value) {
    return changed(fields -> fields.keepRemainder = value);
  }

  /** This hold with a time after which it expires. */
  public TransferRequest timeoutSeconds(int value) {
    return changed(fields -> fields.timeoutSeconds = value);
  }

  /** This request with the instant it counts for. */
  public TransferRequest effectiveAt(Instant value) {
    return changed(fields -> fields.effectiveAt = value);
  }

  /** This request with a code. */
  public TransferRequest code(int value) {
    return changed(fields -> fields.code = value);
  }

  /** This request with a reference. */
  public TransferRequest reference(String value) {
    return changed(fields -> fields.reference = value);
  }

  /** This request with notes. */
  public TransferRequest metadata(Metadata value) {
    return changed(fields -> fields.metadata = value);
  }

  @Override
  public int transferCount() {
    return 1;
  }

  static void requireCode(int code) {
    if (code < 0 || code > CODE_MAX) {
      throw new MisuseException("code", "must be 0 … 65535, was " + code);
    }
  }

  private static TransferRequest plain(
      UUID id,
      TransferKind kind,
      AssetCode asset,
      AccountId debit,
      AccountId credit,
      Amount amount) {
    return new TransferRequest(
        id,
        kind,
        null,
        asset,
        debit,
        credit,
        amount,
        UpTo.NONE,
        false,
        null,
        null,
        null,
        null,
        Metadata.EMPTY);
  }

  private static TransferRequest related(UUID id, TransferKind kind, UUID relatedId) {
    return new TransferRequest(
        id,
        kind,
        relatedId,
        null,
        null,
        null,
        null,
        UpTo.NONE,
        false,
        null,
        null,
        null,
        null,
        Metadata.EMPTY);
  }

  private static void checkRelated(
      TransferKind kind, @Nullable UUID relatedId, UpTo upTo, @Nullable Integer timeoutSeconds) {
    require(relatedId != null, "relatedId", kind, "is required for");
    require(upTo == UpTo.NONE, "upTo", kind, "is not for");
    require(timeoutSeconds == null, "timeout", kind, "is not for");
  }

  private static void checkUnrelated(
      TransferKind kind,
      @Nullable UUID relatedId,
      @Nullable AssetCode asset,
      @Nullable AccountId debit,
      @Nullable AccountId credit) {
    require(relatedId == null, "relatedId", kind, "is not for");
    require(asset != null, "asset", kind, "is required for");
    require(debit != null, "debit", kind, "is required for");
    require(credit != null, "credit", kind, "is required for");
  }

  private static void checkEffectiveAt(Instant at) {
    if (!at.equals(at.truncatedTo(ChronoUnit.MICROS))) {
      throw new MisuseException("effectiveAt", at + " is not a whole number of microseconds");
    }
    if (at.isBefore(EFFECTIVE_MIN) || at.isAfter(EFFECTIVE_MAX)) {
      throw new MisuseException("effectiveAt", at + " is outside the years 0001 … 9999");
    }
  }

  private static void require(boolean holds, String field, TransferKind kind, String what) {
    if (!holds) {
      throw new MisuseException(field, what + " a " + kind);
    }
  }

  private TransferRequest changed(Consumer<Fields> change) {
    Fields fields = new Fields(this);
    change.accept(fields);
    return fields.request(this);
  }

  /** The fields that may be given after a request was made, while one of them changes. */
  private static final class Fields {
    private @Nullable AssetCode asset;
    private @Nullable AccountId debit;
    private @Nullable AccountId credit;
    private @Nullable Amount amount;
    private UpTo upTo;
    private boolean keepRemainder;
    private @Nullable Integer timeoutSeconds;
    private @Nullable Instant effectiveAt;
    private @Nullable Integer code;
    private @Nullable String reference;
    private Metadata metadata;

    Fields(TransferRequest from) {
      asset = from.asset;
      debit = from.debit;
      credit = from.credit;
      amount = from.amount;
      upTo = from.upTo;
      keepRemainder = from.keepRemainder;
      timeoutSeconds = from.timeoutSeconds;
      effectiveAt = from.effectiveAt;
      code = from.code;
      reference = from.reference;
      metadata = from.metadata;
    }

    TransferRequest request(TransferRequest from) {
      return new TransferRequest(
          from.id,
          from.kind,
          from.relatedId,
          asset,
          debit,
          credit,
          amount,
          upTo,
          keepRemainder,
          timeoutSeconds,
          effectiveAt,
          code,
          reference,
          metadata);
    }
  }
}
