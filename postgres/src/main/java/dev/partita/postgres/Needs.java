package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.PostItem;
import dev.partita.TransferRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What has to be locked and looked up to decide some requests. */
final class Needs {

  /** Accounts named. */
  final Set<AccountId> accounts = new LinkedHashSet<>();

  /** Transfers to look up: the requests' own ids and those they relate to. */
  final Set<UUID> transfers = new LinkedHashSet<>();

  /** Records to resolve or undo: their accounts are locked too. */
  final Set<UUID> related = new LinkedHashSet<>();

  /** Groups named or resolved. */
  final Set<UUID> groups = new LinkedHashSet<>();

  /** Groups whose holds are resolved: those holds' accounts are locked too. */
  final Set<UUID> resolvedGroups = new LinkedHashSet<>();

  /** Assets named. */
  final Set<AssetCode> assets = new LinkedHashSet<>();

  static Needs of(List<Ticket> tickets) {
    Needs needs = new Needs();
    for (Ticket ticket : tickets) {
      needs.addAll(ticket.items());
    }
    return needs;
  }

  void addAll(List<PostItem> items) {
    for (PostItem item : items) {
      switch (item) {
        case TransferRequest transfer -> add(transfer);
        case GroupRequest group -> {
          groups.add(group.id());
          group.members().forEach(this::add);
        }
        case GroupResolution resolution -> {
          groups.add(resolution.id());
          groups.add(resolution.groupId());
          resolvedGroups.add(resolution.groupId());
        }
      }
    }
  }

  private void add(TransferRequest transfer) {
    transfers.add(transfer.id());
    UUID relatedId = transfer.relatedId();
    if (relatedId != null) {
      transfers.add(relatedId);
      related.add(relatedId);
    }
    addIfNamed(transfer.debit());
    addIfNamed(transfer.credit());
    AssetCode asset = transfer.asset();
    if (asset != null) {
      assets.add(asset);
    }
  }

  private void addIfNamed(@Nullable AccountId account) {
    if (account != null) {
      accounts.add(account);
    }
  }
}
