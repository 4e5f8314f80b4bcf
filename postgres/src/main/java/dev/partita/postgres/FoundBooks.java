package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.GroupRef;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.rules.AccountState;
import dev.partita.rules.Books;
import dev.partita.rules.HoldState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one locking and looking up has found. Shows the rules only what is locked: anything else
 * ends in {@link NeedsLock}, and the request waits for the next batch.
 */
final class FoundBooks implements Books {

  /** A decision would need the state of an account that is not locked. */
  static final class NeedsLock extends RuntimeException {
    private static final long serialVersionUID = 1;

    NeedsLock(AccountId account) {
      super("account " + account + " is not locked", null, false, false);
    }
  }

  /** Later than anything recorded, so that all that is decided at it has this one time. */
  static final Instant UNTIMED = Instant.parse("9999-12-31T23:59:59.999999Z");

  private record Numbered(int no, AccountState state) {}

  private final Map<AccountId, Numbered> locked = new HashMap<>();
  private final Set<AccountId> named = new HashSet<>();
  private final Set<AccountId> unconfirmed = new HashSet<>();
  private final Set<AssetCode> assets = new HashSet<>();
  private final Map<UUID, TransferRows.Stored> transfers = new HashMap<>();
  private final Map<UUID, List<Transfer>> groups = new HashMap<>();
  private final Map<UUID, Amount> openHolds = new HashMap<>();
  private final Map<UUID, TransferKind> endedHolds = new HashMap<>();
  private final Map<UUID, Amount> reversed = new HashMap<>();
  private long newestBatch;
  private long batch;
  private int firstIndex;
  private Instant now = Instant.EPOCH;
  private String isolation = "";
  private int backendPid;

  // Filled by LookUp.

  void addLocked(int no, AccountState state) {
    locked.put(state.balance().account(), new Numbered(no, state));
  }

  void addNamed(AccountId id) {
    named.add(id);
  }

  /** The account exists, but is not locked, or its cached number was not confirmed. */
  void addUnconfirmed(AccountId id) {
    unconfirmed.add(id);
  }

  void addAsset(AssetCode code) {
    assets.add(code);
  }

  void addTransfer(TransferRows.Stored stored) {
    Transfer transfer = stored.transfer();
    if (transfers.put(transfer.id(), stored) == null && transfer.group() != null) {
      groups.computeIfAbsent(transfer.group().id(), id -> new ArrayList<>()).add(transfer);
    }
  }

  void addOpenHold(UUID id, Amount remaining) {
    openHolds.put(id, remaining);
  }

  void addResolution(UUID relatedId, TransferKind kind, Amount sum, boolean last) {
    if (kind == TransferKind.REVERSAL) {
      reversed.put(relatedId, sum);
    } else if (last) {
      endedHolds.put(relatedId, kind);
    }
  }

  /** The batch of an account's newest record, 0 if it has none. */
  void addNewest(long batchOfRecord) {
    newestBatch = Math.max(newestBatch, batchOfRecord);
  }

  /**
   * Sets the position of what will be recorded.
   *
   * @throws CorruptionException if it is not above those of the newest records: the sequence was
   *     put back, or did not come along when the database was copied. What is recorded at such a
   *     position is missing from the journal, from exports and from what {@code verify} looks at
   */
  void setBatch(long newBatch, Instant newNow, String newIsolation, int newBackendPid) {
    batch = newBatch;
    requireAhead();
    now = newNow;
    isolation = newIsolation;
    backendPid = newBackendPid;
  }

  /** Sets the place in the batch at which what is recorded begins; 0 if it is not set. */
  void setFirstIndex(int index) {
    firstIndex = index;
  }

  /** The place in the batch of the first record; the others follow on it. */
  int firstIndex() {
    return firstIndex;
  }

  /** As {@link #setBatch}, after newest records were added. */
  void requireAhead() {
    if (batch <= newestBatch) {
      throw sequenceIsBehind(batch, newestBatch);
    }
  }

  static CorruptionException sequenceIsBehind(long position, long recorded) {
    return new CorruptionException(
        "the sequence batch stands at "
            + position
            + ", but there are records up to batch "
            + recorded
            + ": it was put back, or not copied with the tables; nothing was posted. Let its owner set"
            + " it, with setval, to the highest batch in the table transfer");
  }

  /** Brings the groups found into the order of their members; after the last addition. */
  void complete() {
    Comparator<Transfer> byIndex =
        Comparator.comparingInt(member -> Objects.requireNonNull(member.group()).index());
    groups.values().forEach(members -> members.sort(byIndex));
  }

  // Asked by the lane.

  boolean isLocked(AccountId id) {
    return locked.containsKey(id);
  }

  /** The accounts that are locked, none of which can change until the transaction ends. */
  Set<AccountId> locked() {
    return locked.keySet();
  }

  /** Numbers of the accounts that are locked. */
  List<Integer> lockedNumbers() {
    return locked.values().stream().map(Numbered::no).toList();
  }

  /** The earliest time that a record on all of the locked accounts may have. */
  Instant notBefore() {
    Instant latest = Instant.EPOCH;
    for (Numbered account : locked.values()) {
      latest = later(latest, account.state().openedAt());
      latest = later(latest, account.state().lastRecordedAt());
    }
    return latest;
  }

  private static Instant later(Instant a, @Nullable Instant b) {
    return b != null && b.isAfter(a) ? b : a;
  }

  boolean locksAny() {
    return !locked.isEmpty();
  }

  int no(AccountId id) {
    return numbered(id).no();
  }

  /** The position of what this transaction records. */
  long batch() {
    return batch;
  }

  /** Engine time, read after the locks were held. */
  Instant now() {
    return now;
  }

  /** Whether each statement of the transaction sees what was committed before it. */
  boolean isReadCommitted() {
    return isolation.equals("read committed") || isolation.equals("read uncommitted");
  }

  /** The session of the server in which this was found. */
  int backendPid() {
    return backendPid;
  }

  /** A transfer as it is stored, if it was found. */
  TransferRows.@Nullable Stored stored(UUID id) {
    return transfers.get(id);
  }

  // Asked by the rules.

  @Override
  public boolean hasAsset(AssetCode code) {
    return assets.contains(code);
  }

  @Override
  public @Nullable AccountState account(AccountId id) {
    Numbered found = locked.get(id);
    if (found != null) {
      return found.state();
    }
    if (named.contains(id) && !unconfirmed.contains(id)) {
      return null;
    }
    throw new NeedsLock(id);
  }

  @Override
  public @Nullable Transfer transfer(UUID id) {
    TransferRows.Stored stored = transfers.get(id);
    return stored == null ? null : stored.transfer();
  }

  @Override
  public HoldState hold(UUID pendingId) {
    requireLocked(pendingId);
    Amount remaining = openHolds.get(pendingId);
    if (remaining != null) {
      return new HoldState(remaining, null);
    }
    TransferKind endedBy = endedHolds.get(pendingId);
    if (endedBy == null) {
      throw new CorruptionException("hold " + pendingId + " is neither open nor ended");
    }
    return new HoldState(Amount.ZERO, endedBy);
  }

  @Override
  public Amount reversed(UUID originalId) {
    if (!transfers.containsKey(originalId)) {
      return Amount.ZERO; // Recorded by the draft on top, so nothing stored can have undone it.
    }
    requireLocked(originalId);
    Amount sum = reversed.get(originalId);
    return sum == null ? Amount.ZERO : sum;
  }

  @Override
  public List<Transfer> group(UUID groupId) {
    List<Transfer> members = groups.get(groupId);
    if (members == null) {
      return List.of();
    }
    GroupRef place = Objects.requireNonNull(members.getFirst().group());
    if (members.size() != place.size()) {
      // A member came in by its own id: the group as a whole was not looked up.
      throw new CorruptionException("group " + groupId + " is not whole");
    }
    return members;
  }

  private void requireLocked(UUID transferId) {
    Transfer transfer = Objects.requireNonNull(transfer(transferId));
    numbered(transfer.debit());
    numbered(transfer.credit());
  }

  private Numbered numbered(AccountId id) {
    Numbered found = locked.get(id);
    if (found == null) {
      throw new NeedsLock(id);
    }
    return found;
  }
}
