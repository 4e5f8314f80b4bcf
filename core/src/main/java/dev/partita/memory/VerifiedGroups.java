package dev.partita.memory;

import dev.partita.GroupRef;
import dev.partita.Transfer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether groups are whole, while a verification walks along the journal. Recorded together means
 * one after the other, with nothing in between.
 */
final class VerifiedGroups {

  private final Violations violations;
  private final Map<UUID, GroupRef> seen = new LinkedHashMap<>();
  private @Nullable GroupRef previous;

  VerifiedGroups(Violations violations) {
    this.violations = violations;
  }

  /** The next record of the journal. */
  void record(Transfer record) {
    GroupRef place = record.group();
    boolean goesOn = place != null && previous != null && place.id().equals(previous.id());
    if (!goesOn) {
      end();
    }
    if (place != null) {
      GroupRef before = goesOn ? previous : null;
      int expected = before == null ? 0 : before.index() + 1;
      violations.requireEqual(
          6, subject(place), "index of " + record.id(), place.index(), expected);
      if (before != null) {
        violations.requireEqual(
            6, subject(place), "size at " + record.id(), place.size(), before.size());
      } else if (seen.put(place.id(), place) != null) {
        violations.add(6, subject(place), "begins again with " + record.id());
      }
    }
    previous = place;
  }

  /** After the last record. */
  void end() {
    GroupRef last = previous;
    if (last != null && last.index() != last.size() - 1) {
      violations.add(
          6, subject(last), "ends after index " + last.index() + ", its size is " + last.size());
    }
    previous = null;
  }

  private static String subject(GroupRef place) {
    return "group " + place.id();
  }
}
