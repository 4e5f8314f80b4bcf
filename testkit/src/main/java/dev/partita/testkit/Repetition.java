package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.GroupRef;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares a repeated id with what is stored under it, as the {@link Auditor} sees it. */
final class Repetition {

  private Repetition() {}

  /**
   * The first field that differs, or null.
   *
   * @param related the stored record's related record, or null if it has none
   */
  static @Nullable TransferField firstDifference(
      TransferRequest given,
      @Nullable GroupRef place,
      Transfer stored,
      @Nullable Transfer related) {
    TransferRequest first = stored.request();
    for (TransferField field : TransferField.values()) {
      boolean same =
          switch (field) {
            case KIND -> given.kind() == first.kind();
            case RELATED_ID -> Objects.equals(given.relatedId(), first.relatedId());
            case UP_TO -> given.upTo() == first.upTo();
            case KEEP_REMAINDER -> given.keepRemainder() == first.keepRemainder();
            case TIMEOUT -> Objects.equals(given.timeoutSeconds(), first.timeoutSeconds());
            case ASSET -> Objects.equals(asset(given, related), asset(first, related));
            case DEBIT -> Objects.equals(debit(given, related), debit(first, related));
            case CREDIT -> Objects.equals(credit(given, related), credit(first, related));
            case AMOUNT -> sameAmount(given.amount(), stored);
            case EFFECTIVE_AT -> Objects.equals(given.effectiveAt(), first.effectiveAt());
            case CODE -> Objects.equals(code(given, related), code(first, related));
            case REFERENCE -> Objects.equals(reference(given, related), reference(first, related));
            case METADATA -> given.metadata().equals(first.metadata());
            case GROUP -> samePlace(place, stored.group());
          };
      if (!same) {
        return field;
      }
    }
    return null;
  }

  /** Id and index; how many members there are is judged for the group as a whole. */
  private static boolean samePlace(@Nullable GroupRef given, @Nullable GroupRef stored) {
    if (given == null || stored == null) {
      return given == null && stored == null;
    }
    return given.id().equals(stored.id()) && given.index() == stored.index();
  }

  private static boolean sameAmount(@Nullable Amount given, Transfer stored) {
    Amount first = stored.request().amount();
    if (Objects.equals(given, first)) {
      return true;
    }
    if (given != null && first != null) {
      return false;
    }
    // One is a default. It means "all that is left", so it equals the other if all that was left
    // is what moved: nothing was released beside it and nothing was kept.
    Amount explicit = given == null ? first : given;
    return stored.amount().equals(explicit) && stored.released().isZero() && stored.last();
  }

  private static @Nullable AssetCode asset(TransferRequest request, @Nullable Transfer related) {
    AssetCode named = request.asset();
    return named == null && related != null ? related.asset() : named;
  }

  private static @Nullable AccountId debit(TransferRequest request, @Nullable Transfer related) {
    AccountId named = request.debit();
    return named == null && mayLeaveOut(request) && related != null ? related.debit() : named;
  }

  private static @Nullable AccountId credit(TransferRequest request, @Nullable Transfer related) {
    AccountId named = request.credit();
    return named == null && mayLeaveOut(request) && related != null ? related.credit() : named;
  }

  private static @Nullable Integer code(TransferRequest request, @Nullable Transfer related) {
    Integer named = request.code();
    return named == null && mayLeaveOut(request) && related != null
        ? Integer.valueOf(related.code())
        : named;
  }

  private static @Nullable String reference(TransferRequest request, @Nullable Transfer related) {
    String named = request.reference();
    return named == null && mayLeaveOut(request) && related != null ? related.reference() : named;
  }

  private static boolean mayLeaveOut(TransferRequest request) {
    return request.kind() == TransferKind.POST || request.kind() == TransferKind.VOID;
  }
}
