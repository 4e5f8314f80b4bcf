package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.GroupRef;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.UnknownAccountException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the {@link Auditor} has seen recorded: lists, and maps to find things in them. */
final class AuditorBooks {

  final Map<AssetCode, Asset> assets = new TreeMap<>();
  final Map<AccountId, AuditedAccount> accounts = new TreeMap<>();
  private final List<Transfer> journal = new ArrayList<>();
  final Map<UUID, Transfer> byId = new HashMap<>();
  final Map<UUID, List<Transfer>> byRelated = new HashMap<>();
  final Map<UUID, List<Transfer>> byGroup = new HashMap<>();
  final List<Transfer> holdsEver = new ArrayList<>();

  /** The record that ended a hold, or null. */
  @Nullable Transfer endOf(Transfer hold) {
    for (Transfer resolution : related(hold.id())) {
      if (resolution.last()) {
        return resolution;
      }
    }
    return null;
  }

  BigInteger remaining(Transfer hold) {
    BigInteger rest = hold.amount().toBigInteger();
    for (Transfer resolution : related(hold.id())) {
      rest = rest.subtract(resolution.amount().toBigInteger());
      rest = rest.subtract(resolution.released().toBigInteger());
    }
    return rest;
  }

  /** Adds a record to every list it belongs to. */
  void append(Transfer transfer) {
    journal.add(transfer);
    byId.put(transfer.id(), transfer);
    require(transfer.debit()).lines.add(transfer);
    require(transfer.credit()).lines.add(transfer);
    UUID relatedId = transfer.relatedId();
    if (relatedId != null) {
      byRelated.computeIfAbsent(relatedId, id -> new ArrayList<>()).add(transfer);
    }
    GroupRef place = transfer.group();
    if (place != null) {
      byGroup.computeIfAbsent(place.id(), id -> new ArrayList<>()).add(transfer);
    }
    if (transfer.kind() == TransferKind.PENDING) {
      holdsEver.add(transfer);
    }
  }

  /** Takes the last records back: exactly the reverse of adding them. */
  void takeBack(int count) {
    for (int i = 0; i < count; i++) {
      Transfer transfer = journal.removeLast();
      byId.remove(transfer.id());
      require(transfer.debit()).lines.removeLast();
      require(transfer.credit()).lines.removeLast();
      UUID relatedId = transfer.relatedId();
      if (relatedId != null) {
        related(relatedId).removeLast();
      }
      GroupRef place = transfer.group();
      if (place != null) {
        byGroup.getOrDefault(place.id(), List.of()).removeLast();
      }
      if (transfer.kind() == TransferKind.PENDING) {
        holdsEver.removeLast();
      }
    }
  }

  @Nullable Transfer stored(UUID id) {
    return byId.get(id);
  }

  List<Transfer> related(UUID id) {
    return byRelated.getOrDefault(id, List.of());
  }

  List<Transfer> records() {
    return Collections.unmodifiableList(journal);
  }

  List<Asset> registered() {
    return List.copyOf(assets.values());
  }

  List<AuditedAccount> opened() {
    return List.copyOf(accounts.values());
  }

  Optional<AuditedAccount> find(AccountId id) {
    return Optional.ofNullable(accounts.get(id));
  }

  AuditedAccount require(AccountId id) {
    return find(id).orElseThrow(() -> new UnknownAccountException(id));
  }
}
