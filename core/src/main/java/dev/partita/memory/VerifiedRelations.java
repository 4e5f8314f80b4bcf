package dev.partita.memory;

import dev.partita.Ids;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which records resolve and undo which, while a verification walks along the journal. */
final class VerifiedRelations {

  private final Violations violations;
  private final Map<UUID, Transfer> earlier = new LinkedHashMap<>();
  private final Map<UUID, BigInteger> openHolds = new LinkedHashMap<>();
  private final Map<UUID, BigInteger> reversed = new LinkedHashMap<>();

  VerifiedRelations(Violations violations) {
    this.violations = violations;
  }

  /** The next record of the journal. */
  void record(Transfer record) {
    switch (record.kind()) {
      case DIRECT -> requireOriginal(record);
      case PENDING -> {
        requireOriginal(record);
        openHolds.put(record.id(), record.amount().toBigInteger());
      }
      case POST, VOID, EXPIRY -> resolve(record);
      case REVERSAL -> reverse(record);
    }
    if (record.request().amount() != null) {
      int asked = record.amount().compareTo(record.request().amount());
      require(
          asked == 0 || (asked < 0 && isUpTo(record)),
          3,
          record,
          "moves " + record.amount() + ", asked for " + record.request().amount());
    }
    require(
        record.kind() == TransferKind.POST || record.released().isZero(),
        3,
        record,
        "releases " + record.released() + ", which only a POST may");
    if (earlier.putIfAbsent(record.id(), record) != null) {
      violations.add(5, subject(record), "is recorded twice");
    }
  }

  /** What remains of the holds that are open after the records so far. */
  Map<UUID, BigInteger> openHolds() {
    return openHolds;
  }

  /** The record of that id, if there was one so far. */
  @Nullable Transfer find(UUID id) {
    return earlier.get(id);
  }

  private static boolean isUpTo(Transfer record) {
    return record.request().upTo().covers(Side.DEBIT)
        || record.request().upTo().covers(Side.CREDIT);
  }

  private void requireOriginal(Transfer record) {
    require(record.relatedId() == null, 5, record, "names a related record");
    require(!record.last(), 5, record, "is marked as the last of something");
    require(
        record.debit().equals(record.request().debit())
            && record.credit().equals(record.request().credit())
            && record.asset().equals(record.request().asset()),
        3,
        record,
        "moves something else than was asked for");
  }

  private void resolve(Transfer record) {
    Transfer hold = record.relatedId() == null ? null : earlier.get(record.relatedId());
    if (hold == null || hold.kind() != TransferKind.PENDING) {
      violations.add(5, subject(record), "resolves " + record.relatedId() + ", no earlier hold");
      return;
    }
    require(
        record.debit().equals(hold.debit())
            && record.credit().equals(hold.credit())
            && record.asset().equals(hold.asset()),
        5,
        record,
        "is on other accounts than its hold " + hold.id());
    checkTime(record, hold.deadline());
    require(
        record.kind() != TransferKind.EXPIRY || record.id().equals(Ids.expiryOf(hold.id())),
        5,
        record,
        "is not the id of the EXPIRY of " + hold.id());
    BigInteger before = openHolds.get(hold.id());
    if (before == null) {
      violations.add(5, subject(record), "resolves " + hold.id() + ", which had ended");
      return;
    }
    BigInteger remaining =
        before.subtract(record.amount().toBigInteger()).subtract(record.released().toBigInteger());
    boolean keeps = record.request().keepRemainder() && remaining.signum() > 0;
    require(
        remaining.signum() == 0 || keeps,
        5,
        record,
        "leaves " + remaining + " of " + before + " that hold " + hold.id() + " had");
    require(
        !record.request().keepRemainder() || record.released().isZero(),
        5,
        record,
        "releases what it was to keep");
    require(record.last() != keeps, 5, record, "is marked last=" + record.last());
    if (record.last()) {
      openHolds.remove(hold.id());
    } else {
      openHolds.put(hold.id(), remaining);
    }
  }

  private void checkTime(Transfer record, @Nullable Instant deadline) {
    boolean reached = deadline != null && !record.recordedAt().isBefore(deadline);
    require(
        reached == (record.kind() == TransferKind.EXPIRY),
        5,
        record,
        record.kind() + " at " + record.recordedAt() + " of a hold with deadline " + deadline);
  }

  private void reverse(Transfer record) {
    Transfer original = record.relatedId() == null ? null : earlier.get(record.relatedId());
    if (original == null
        || (original.kind() != TransferKind.DIRECT && original.kind() != TransferKind.POST)) {
      violations.add(
          5, subject(record), "reverses " + record.relatedId() + ", no earlier DIRECT or POST");
      return;
    }
    require(
        record.debit().equals(original.credit())
            && record.credit().equals(original.debit())
            && record.asset().equals(original.asset()),
        5,
        record,
        "is not on the swapped accounts of " + original.id());
    BigInteger left =
        original
            .amount()
            .toBigInteger()
            .subtract(reversed.getOrDefault(original.id(), BigInteger.ZERO));
    BigInteger amount = record.amount().toBigInteger();
    require(
        left.signum() > 0 && amount.compareTo(left) <= 0,
        5,
        record,
        "reverses " + amount + " of " + left + " that was left of " + original.id());
    require(record.last() == amount.equals(left), 5, record, "is marked last=" + record.last());
    reversed.merge(original.id(), amount, BigInteger::add);
  }

  private void require(boolean holds, int invariant, Transfer record, String detail) {
    if (!holds) {
      violations.add(invariant, subject(record), detail);
    }
  }

  private static String subject(Transfer record) {
    return "transfer " + record.id();
  }
}
