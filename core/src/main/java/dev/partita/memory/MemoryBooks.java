package dev.partita.memory;

import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.CorruptionException;
import dev.partita.GroupRef;
import dev.partita.Hold;
import dev.partita.LedgerEvent;
import dev.partita.NewAccount;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.UnknownAccountException;
import dev.partita.rules.AccountState;
import dev.partita.rules.Books;
import dev.partita.rules.HoldState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is recorded: assets, accounts, and the journal, a list that only grows. A
 * record's position is its place in that list; the maps only say where to find what. Guarded by the
 * ledger's lock.
 */
final class MemoryBooks implements Books {

  private final SortedMap<AssetCode, Asset> assets = new TreeMap<>();
  // By the text of the id, because a prefix need not be an id.
  private final NavigableMap<String, MemoryAccount> accounts = new TreeMap<>();
  private final List<Transfer> journal = new ArrayList<>();
  private final MemoryFeed feed = new MemoryFeed();
  private final Map<UUID, Integer> positions = new LinkedHashMap<>();
  private final Map<UUID, List<Integer>> groups = new LinkedHashMap<>();
  private final Map<UUID, List<Integer>> related = new LinkedHashMap<>();
  private final Map<String, List<Integer>> references = new LinkedHashMap<>();
  private final NavigableMap<Integer, Amount> openHolds = new TreeMap<>();
  private final NavigableMap<Due, Transfer> due = new TreeMap<>();

  /** When an open hold ends by itself; the earlier recorded first if at the same time. */
  private record Due(Instant deadline, int position) implements Comparable<Due> {

    @Override
    public int compareTo(Due other) {
      int byDeadline = deadline.compareTo(other.deadline);
      return byDeadline != 0 ? byDeadline : Integer.compare(position, other.position);
    }
  }

  @Override
  public boolean hasAsset(AssetCode code) {
    return assets.containsKey(code);
  }

  @Override
  public @Nullable AccountState account(AccountId id) {
    MemoryAccount account = find(id);
    return account == null ? null : account.state();
  }

  @Override
  public @Nullable Transfer transfer(UUID id) {
    Integer position = positions.get(id);
    return position == null ? null : journal.get(position);
  }

  @Override
  public HoldState hold(UUID pendingId) {
    Amount remaining = openHolds.get(position(pendingId));
    if (remaining != null) {
      return new HoldState(remaining, null);
    }
    // Only resolutions are related to a hold, and the last of them ended it.
    Transfer end = journal.get(relatedTo(pendingId).getLast());
    return new HoldState(Amount.ZERO, end.kind());
  }

  @Override
  public Amount reversed(UUID originalId) {
    Amount sum = Amount.ZERO;
    for (int position : relatedTo(originalId)) {
      Transfer record = journal.get(position);
      if (record.kind() == TransferKind.REVERSAL) {
        sum = sum.plus(record.amount());
      }
    }
    return sum;
  }

  @Override
  public List<Transfer> group(UUID groupId) {
    return inGroup(groupId).stream().map(journal::get).toList();
  }

  @Nullable Asset asset(AssetCode code) {
    return assets.get(code);
  }

  List<Asset> assets() {
    return List.copyOf(assets.values());
  }

  void register(Asset asset) {
    assets.put(asset.code(), asset);
  }

  void open(NewAccount account, Instant openedAt) {
    accounts.put(account.id().value(), new MemoryAccount(account, openedAt, journal));
    feed.add(new LedgerEvent.AccountOpened("", account, openedAt));
  }

  void change(MemoryAccount account, AccountChange change) {
    account.addChange(change);
    feed.add(new LedgerEvent.AccountChanged("", change, account.opened().asset()));
  }

  /** All that was recorded, in order. */
  MemoryFeed feed() {
    return feed;
  }

  @Nullable MemoryAccount find(AccountId id) {
    return accounts.get(id.value());
  }

  MemoryAccount require(AccountId id) {
    MemoryAccount account = find(id);
    if (account == null) {
      throw new UnknownAccountException(id);
    }
    return account;
  }

  /** All accounts by the text of their ids. */
  NavigableMap<String, MemoryAccount> accounts() {
    return Collections.unmodifiableNavigableMap(accounts);
  }

  /** All records in the order of recording. */
  List<Transfer> journal() {
    return Collections.unmodifiableList(journal);
  }

  /** Positions of a group's members. */
  List<Integer> inGroup(UUID groupId) {
    return groups.getOrDefault(groupId, List.of());
  }

  /** Positions of what resolved or reversed a record. */
  List<Integer> relatedTo(UUID id) {
    return related.getOrDefault(id, List.of());
  }

  /** Positions of the records with a reference. */
  List<Integer> withReference(String reference) {
    return references.getOrDefault(reference, List.of());
  }

  /** The open holds from a position on, with what remains of them. */
  SortedMap<Integer, Amount> openHolds(int fromPosition) {
    return Collections.unmodifiableSortedMap(openHolds.tailMap(fromPosition, true));
  }

  Hold openHold(int position) {
    return new Hold(journal.get(position), Objects.requireNonNull(openHolds.get(position)));
  }

  /** At most {@code limit} open holds whose deadline has come, in order of it. */
  List<Transfer> due(Instant now, int limit) {
    return due.headMap(new Due(now, Integer.MAX_VALUE), true).values().stream()
        .limit(limit)
        .toList();
  }

  /** Stores records that were decided on these books. */
  void record(List<Transfer> records) {
    for (Transfer record : records) {
      int position = journal.size();
      journal.add(record);
      feed.add(new LedgerEvent.TransferRecorded("", record));
      positions.put(record.id(), position);
      for (Side side : Side.values()) {
        require(record.after(side).account()).addLine(position);
      }
      index(record, position);
      switch (record.kind()) {
        case PENDING -> openHold(record, position);
        case POST, VOID, EXPIRY -> resolve(record);
        case DIRECT, REVERSAL -> {}
      }
    }
  }

  private void index(Transfer record, int position) {
    GroupRef group = record.group();
    if (group != null) {
      groups.computeIfAbsent(group.id(), id -> new ArrayList<>()).add(position);
    }
    UUID relatedId = record.relatedId();
    if (relatedId != null) {
      related.computeIfAbsent(relatedId, id -> new ArrayList<>(1)).add(position);
    }
    String reference = record.reference();
    if (reference != null) {
      references.computeIfAbsent(reference, text -> new ArrayList<>(1)).add(position);
    }
  }

  private void openHold(Transfer record, int position) {
    openHolds.put(position, record.amount());
    Instant deadline = record.deadline();
    if (deadline != null) {
      due.put(new Due(deadline, position), record);
    }
  }

  private void resolve(Transfer record) {
    int position = position(Objects.requireNonNull(record.relatedId()));
    if (record.last()) {
      openHolds.remove(position);
      Instant deadline = journal.get(position).deadline();
      if (deadline != null) {
        due.remove(new Due(deadline, position));
      }
    } else {
      openHolds.computeIfPresent(
          position, (at, before) -> before.minus(record.amount()).minus(record.released()));
    }
  }

  private int position(UUID id) {
    Integer position = positions.get(id);
    if (position == null) {
      throw new CorruptionException("transfer " + id + " is not recorded");
    }
    return position;
  }
}
