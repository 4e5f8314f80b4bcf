package dev.partita.rules;

import dev.partita.Amount;
import dev.partita.GroupRef;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a repeated id means the same transfer: every field as given is equal. Two tolerances: what a
 * POST or VOID leaves out stands for the hold's, and a default amount equals an explicit one
 * exactly if that was everything that was left.
 */
final class Equality {

  private Equality() {}

  /** The first field in which a request differs from a stored record, or null if it is the same. */
  static @Nullable TransferField firstDifference(
      TransferRequest request, @Nullable GroupRef place, Transfer stored, Books books) {
    TransferRequest given = stored.request();
    if (request.kind() != given.kind()) {
      return TransferField.KIND;
    }
    if (!Objects.equals(request.relatedId(), given.relatedId())) {
      return TransferField.RELATED_ID;
    }
    if (request.upTo() != given.upTo()) {
      return TransferField.UP_TO;
    }
    if (request.keepRemainder() != given.keepRemainder()) {
      return TransferField.KEEP_REMAINDER;
    }
    if (!Objects.equals(request.timeoutSeconds(), given.timeoutSeconds())) {
      return TransferField.TIMEOUT;
    }
    if (request.asset() != null && !request.asset().equals(stored.asset())) {
      return TransferField.ASSET;
    }
    if (request.debit() != null && !request.debit().equals(stored.debit())) {
      return TransferField.DEBIT;
    }
    if (request.credit() != null && !request.credit().equals(stored.credit())) {
      return TransferField.CREDIT;
    }
    if (!sameAmount(request.amount(), stored)) {
      return TransferField.AMOUNT;
    }
    return firstDifferenceInNotes(request, place, stored, books);
  }

  private static @Nullable TransferField firstDifferenceInNotes(
      TransferRequest request, @Nullable GroupRef place, Transfer stored, Books books) {
    TransferRequest given = stored.request();
    if (!Objects.equals(request.effectiveAt(), given.effectiveAt())) {
      return TransferField.EFFECTIVE_AT;
    }
    Integer code = request.code();
    String reference = request.reference();
    if (request.kind().resolvesHold() && (code == null || reference == null)) {
      Transfer hold =
          Objects.requireNonNull(books.transfer(Objects.requireNonNull(given.relatedId())));
      code = code == null ? Integer.valueOf(hold.code()) : code;
      reference = reference == null ? hold.reference() : reference;
    }
    if (code == null || code != stored.code()) {
      return TransferField.CODE;
    }
    if (!Objects.equals(reference, stored.reference())) {
      return TransferField.REFERENCE;
    }
    if (!request.metadata().equals(given.metadata())) {
      return TransferField.METADATA;
    }
    return samePlace(place, stored.group()) ? null : TransferField.GROUP;
  }

  private static boolean sameAmount(@Nullable Amount asked, Transfer stored) {
    Amount given = stored.request().amount();
    if (asked != null && given != null) {
      return asked.equals(given);
    }
    if (asked == null && given == null) {
      return true;
    }
    // One of the two is the default: all that was left.
    boolean everything = stored.last() && stored.released().isZero();
    return everything && (asked == null || asked.equals(stored.amount()));
  }

  private static boolean samePlace(@Nullable GroupRef a, @Nullable GroupRef b) {
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return a.id().equals(b.id()) && a.index() == b.index();
  }
}
