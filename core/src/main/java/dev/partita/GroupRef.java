package dev.partita;

import java.util.Objects;
import java.util.UUID;

/**
 * A transfer's place in its group.
 *
 * @param id the group
 * @param index the transfer's place, from 0
 * @param size how many transfers the group has
 */
public record GroupRef(UUID id, int index, int size) {

  /** Checks the range. */
  public GroupRef {
    Objects.requireNonNull(id, "id");
    if (size < 1 || size > GroupRequest.MEMBERS_MAX || index < 0 || index >= size) {
      throw new MisuseException(
          "group", "index " + index + " of " + size + " is no place in a group");
    }
  }
}
