package dev.partita;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which transfers to find, in the order in which they were recorded. Needs a reference, group,
 * related id or account, which code and time then narrow; without any of these a bounded time
 * range. All that is given must hold.
 *
 * @param reference with this reference
 * @param groupId in this group
 * @param relatedId resolving or undoing this record
 * @param account on either side of it
 * @param code with this code
 * @param from recorded at or after
 * @param to recorded at or before
 * @param cursor where to go on, from {@link Page#next}
 * @param limit page size, 1 … 10,000
 */
public record TransferQuery(
    @Nullable String reference,
    @Nullable UUID groupId,
    @Nullable UUID relatedId,
    @Nullable AccountId account,
    @Nullable Integer code,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String cursor,
    int limit) {

  /** The longest time range that may be asked for alone. */
  public static final Duration RANGE_MAX = Duration.ofDays(31);

  /**
   * Checks that the question can be answered.
   *
   * @throws MisuseException if it is unbounded or malformed
   */
  public TransferQuery {
    Page.requireLimit(limit);
    if (reference != null) {
      Texts.requireLine("reference", reference, TransferRequest.REFERENCE_MAX);
    }
    if (code != null) {
      TransferRequest.requireCode(code);
    }
    if (from != null && to != null && from.isAfter(to)) {
      throw new MisuseException("from", from + " is after to, " + to);
    }
    if (reference == null && groupId == null && relatedId == null && account == null) {
      if (from == null || to == null || Duration.between(from, to).compareTo(RANGE_MAX) > 0) {
        throw new MisuseException(
            "name a reference, group, related id or account, or both ends of a time range of at most "
                + RANGE_MAX.toDays()
                + " days");
      }
    }
  }

  /** Transfers with a reference. */
  public static TransferQuery reference(String reference, int limit) {
    return new TransferQuery(reference, null, null, null, null, null, null, null, limit);
  }

  /** The members of a group. */
  public static TransferQuery group(UUID groupId, int limit) {
    return new TransferQuery(null, groupId, null, null, null, null, null, null, limit);
  }

  /** What resolved a hold or reversed a transfer. */
  public static TransferQuery related(UUID relatedId, int limit) {
    return new TransferQuery(null, null, relatedId, null, null, null, null, null, limit);
  }

  /** Transfers of an account. */
  public static TransferQuery account(AccountId account, int limit) {
    return new TransferQuery(null, null, null, account, null, null, null, null, limit);
  }

  /** Transfers recorded in a time range. */
  public static TransferQuery between(Instant from, Instant to, int limit) {
    return new TransferQuery(null, null, null, null, null, from, to, null, limit);
  }

  /** This query narrowed to a code. */
  public TransferQuery code(int newCode) {
    return new TransferQuery(
        reference, groupId, relatedId, account, newCode, from, to, cursor, limit);
  }

  /** This query narrowed to a time range; null leaves an end open. */
  public TransferQuery recorded(@Nullable Instant newFrom, @Nullable Instant newTo) {
    return new TransferQuery(
        reference, groupId, relatedId, account, code, newFrom, newTo, cursor, limit);
  }

  /** This query from a cursor on. */
  public TransferQuery from(@Nullable String newCursor) {
    return new TransferQuery(
        reference, groupId, relatedId, account, code, from, to, newCursor, limit);
  }
}
