package dev.partita;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Transfers that are recorded together or not at all, in order: each sees the ones before it.
 *
 * @param id names this one group of the ledger for ever
 * @param members 1 … 10,000 transfers, no id twice
 */
public record GroupRequest(UUID id, List<TransferRequest> members) implements PostItem {

  /** Most members. */
  public static final int MEMBERS_MAX = 10_000;

  /**
   * Checks id and members.
   *
   * @throws MisuseException if the id may not be used, or there is no member, too many, or one
   *     twice
   */
  public GroupRequest {
    Ids.requireCallers("group", id);
    members = List.copyOf(members);
    if (members.isEmpty() || members.size() > MEMBERS_MAX) {
      throw new MisuseException(
          "group", "a group has 1 … 10,000 transfers, this one has " + members.size());
    }
    Set<UUID> seen = HashSet.newHashSet(members.size());
    for (TransferRequest member : members) {
      if (!seen.add(member.id())) {
        throw new MisuseException("group", "transfer " + member.id() + " is twice in the group");
      }
    }
  }

  /** A group under its first transfer's id. */
  public static GroupRequest of(List<TransferRequest> members) {
    if (members.isEmpty()) {
      throw new MisuseException("group", "a group has 1 … 10,000 transfers, this one has none");
    }
    return new GroupRequest(Objects.requireNonNull(members.getFirst()).id(), members);
  }

  @Override
  public int transferCount() {
    return members.size();
  }
}
