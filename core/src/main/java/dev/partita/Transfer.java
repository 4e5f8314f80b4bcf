package dev.partita;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recorded transfer: the request as given and what the ledger made of it. One immutable record;
 * its two entries, one line on each account, are views of it.
 *
 * @param request the request as given
 * @param amount what really moved; for VOID and EXPIRY what was given back
 * @param released for a POST what it gave back, otherwise zero
 * @param last for POST, VOID and EXPIRY whether it ended the hold; for REVERSAL whether nothing is
 *     left to reverse after it; otherwise false
 * @param group its place in its group, or null
 * @param code its code, or the hold's
 * @param reference its reference, or the hold's, or null
 * @param recordedAt engine time, whole microseconds; never decreases along an account's versions
 * @param debitAfter the debited account after this record
 * @param creditAfter the credited account after this record
 */
public record Transfer(
    TransferRequest request,
    Amount amount,
    Amount released,
    boolean last,
    @Nullable GroupRef group,
    int code,
    @Nullable String reference,
    Instant recordedAt,
    AccountBalance debitAfter,
    AccountBalance creditAfter) {

  /** Checks presence. */
  public Transfer {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(amount, "amount");
    Objects.requireNonNull(released, "released");
    Objects.requireNonNull(recordedAt, "recordedAt");
    Objects.requireNonNull(debitAfter, "debitAfter");
    Objects.requireNonNull(creditAfter, "creditAfter");
  }

  /** Its id. */
  public UUID id() {
    return request.id();
  }

  /** What it did. */
  public TransferKind kind() {
    return request.kind();
  }

  /** The asset moved. */
  public AssetCode asset() {
    return debitAfter.asset();
  }

  /** The account debited. */
  public AccountId debit() {
    return debitAfter.account();
  }

  /** The account credited. */
  public AccountId credit() {
    return creditAfter.account();
  }

  /** The account of one side after this record. */
  public AccountBalance after(Side side) {
    return side == Side.DEBIT ? debitAfter : creditAfter;
  }

  /** The record it resolves or undoes, or null. */
  public @Nullable UUID relatedId() {
    return request.relatedId();
  }

  /** When a PENDING with a timeout expires, otherwise null. */
  public @Nullable Instant deadline() {
    Integer timeout = request.timeoutSeconds();
    return timeout == null ? null : recordedAt.plusSeconds(timeout);
  }

  /** Whether it changed posted counters: DIRECT, POST, REVERSAL. */
  public boolean movesPosted() {
    return switch (kind()) {
      case DIRECT, POST, REVERSAL -> true;
      case PENDING, VOID, EXPIRY -> false;
    };
  }

  /** The instant it counts for in reads as effective: as given, else when it was recorded. */
  public Instant countsAt() {
    Instant given = request.effectiveAt();
    return given == null ? recordedAt : given;
  }
}
