package dev.partita;

import java.util.Objects;
import java.util.UUID;

/**
 * Captures or voids every hold of a group: a group of its own, with one POST of all that remains or
 * one VOID for each PENDING member, in their order and with derived ids ({@link Ids#memberOf}).
 *
 * @param id the new group's id
 * @param groupId the group whose holds are resolved
 * @param kind POST or VOID
 */
public record GroupResolution(UUID id, UUID groupId, TransferKind kind) implements PostItem {

  /**
   * Checks ids and kind.
   *
   * @throws MisuseException if the new id may not be used or the kind is neither POST nor VOID
   */
  public GroupResolution {
    Ids.requireCallers("group", id);
    Objects.requireNonNull(groupId, "groupId");
    if (kind != TransferKind.POST && kind != TransferKind.VOID) {
      throw new MisuseException("kind", "a group is resolved by POST or VOID, not by " + kind);
    }
  }

  /** Captures all that remains of the group's holds. */
  public static GroupResolution postGroup(UUID newGroupId, UUID groupId) {
    return new GroupResolution(newGroupId, groupId, TransferKind.POST);
  }

  /** Voids the group's holds. */
  public static GroupResolution voidGroup(UUID newGroupId, UUID groupId) {
    return new GroupResolution(newGroupId, groupId, TransferKind.VOID);
  }

  @Override
  public int transferCount() {
    return 1;
  }
}
