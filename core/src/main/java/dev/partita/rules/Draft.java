package dev.partita.rules;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.GroupRef;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Books with records added that are decided but not stored yet: each decision sees the ones before
 * it. Not safe for use by several threads.
 */
public final class Draft implements Books {

  private final Books base;
  private final Map<AccountId, AccountState> accounts = new LinkedHashMap<>();
  private final Map<UUID, Transfer> transfers = new LinkedHashMap<>();
  private final Map<UUID, HoldState> holds = new LinkedHashMap<>();
  private final Map<UUID, Amount> reversed = new LinkedHashMap<>();
  private final Map<UUID, List<Transfer>> groups = new LinkedHashMap<>();

  /** An empty draft on top of these books. */
  public Draft(Books base) {
    this.base = base;
  }

  /** The records added, in the order of their decisions. */
  public List<Transfer> records() {
    return List.copyOf(transfers.values());
  }

  /** How many records were added. */
  public int size() {
    return transfers.size();
  }

  /** The holds touched, opened or resolved by the records added, with where they stand now. */
  public Map<UUID, HoldState> holds() {
    return Collections.unmodifiableMap(holds);
  }

  @Override
  public boolean hasAsset(AssetCode code) {
    return base.hasAsset(code);
  }

  @Override
  public @Nullable AccountState account(AccountId id) {
    AccountState own = accounts.get(id);
    return own != null ? own : base.account(id);
  }

  @Override
  public @Nullable Transfer transfer(UUID id) {
    Transfer own = transfers.get(id);
    return own != null ? own : base.transfer(id);
  }

  @Override
  public HoldState hold(UUID pendingId) {
    HoldState own = holds.get(pendingId);
    return own != null ? own : base.hold(pendingId);
  }

  @Override
  public Amount reversed(UUID originalId) {
    Amount own = reversed.get(originalId);
    return own != null ? own : base.reversed(originalId);
  }

  @Override
  public List<Transfer> group(UUID groupId) {
    List<Transfer> own = groups.get(groupId);
    return own != null ? own : base.group(groupId);
  }

  /**
   * Adds a record.
   *
   * @throws CorruptionException if it does not follow from what is there
   */
  public void add(Transfer record) {
    if (transfer(record.id()) != null) {
      throw new CorruptionException("transfer " + record.id() + " is recorded already");
    }
    apply(record, Side.DEBIT);
    apply(record, Side.CREDIT);
    switch (record.kind()) {
      case PENDING -> holds.put(record.id(), new HoldState(record.amount(), null));
      case POST, VOID, EXPIRY -> resolve(record, relatedId(record));
      case REVERSAL -> {
        UUID original = relatedId(record);
        reversed.put(original, reversed(original).plus(record.amount()));
      }
      case DIRECT -> {}
    }
    GroupRef group = record.group();
    if (group != null) {
      List<Transfer> members = groups.computeIfAbsent(group.id(), id -> new ArrayList<>());
      if (members.size() != group.index()) {
        throw new CorruptionException(
            "group " + group.id() + " has " + members.size() + " members before " + group.index());
      }
      members.add(record);
    }
    transfers.put(record.id(), record);
  }

  /** Adds this draft's records to the draft that it stands on. */
  public void addAllTo(Draft other) {
    for (Transfer record : transfers.values()) {
      other.add(record);
    }
  }

  private void apply(Transfer record, Side side) {
    AccountId id = record.after(side).account();
    AccountState before = account(id);
    if (before == null || before.balance().version() + 1 != record.after(side).version()) {
      throw new CorruptionException(
          "transfer "
              + record.id()
              + " makes version "
              + record.after(side).version()
              + " of account "
              + id
              + ", which is at "
              + (before == null ? "none" : before.balance().version()));
    }
    accounts.put(id, before.after(record.after(side), record.recordedAt()));
  }

  private void resolve(Transfer record, UUID holdId) {
    HoldState before = hold(holdId);
    Amount remaining = before.remaining().minus(record.amount()).minus(record.released());
    TransferKind endedBy = record.last() ? record.kind() : null;
    if (before.endedBy() != null || (endedBy != null && !remaining.isZero())) {
      throw new CorruptionException("transfer " + record.id() + " does not resolve hold " + holdId);
    }
    holds.put(holdId, new HoldState(remaining, endedBy));
  }

  private static UUID relatedId(Transfer record) {
    return Objects.requireNonNull(record.relatedId(), "a resolving record names its related one");
  }
}
