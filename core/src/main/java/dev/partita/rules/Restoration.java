package dev.partita.rules;

import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a journal to record again: a transfer or a whole group, with the records that must come
 * out.
 *
 * @param item what to decide again
 * @param expected the records it must lead to
 */
public record Restoration(PostItem item, List<Transfer> expected) {

  /** Takes a copy. */
  public Restoration {
    expected = List.copyOf(expected);
  }

  /**
   * Cuts records in journal order into transfers and whole groups.
   *
   * @throws MisuseException if a group is not whole
   */
  public static List<Restoration> of(List<Transfer> records) {
    List<Restoration> parts = new ArrayList<>();
    for (int i = 0; i < records.size(); ) {
      Transfer first = records.get(i);
      GroupRef group = first.group();
      if (group == null) {
        parts.add(new Restoration(first.request(), List.of(first)));
        i++;
        continue;
      }
      int end = i + group.size();
      if (group.index() != 0 || end > records.size()) {
        throw new MisuseException("group " + group.id() + " is not whole at " + first.id());
      }
      List<Transfer> members = records.subList(i, end);
      List<TransferRequest> requests = new ArrayList<>(members.size());
      for (int m = 0; m < members.size(); m++) {
        GroupRef place = members.get(m).group();
        if (place == null || !place.equals(new GroupRef(group.id(), m, group.size()))) {
          throw new MisuseException("group " + group.id() + " is not whole at " + first.id());
        }
        requests.add(members.get(m).request());
      }
      parts.add(new Restoration(new GroupRequest(group.id(), requests), members));
      i = end;
    }
    return parts;
  }

  /**
   * Decides again at the recorded times.
   *
   * @throws MisuseException if the outcome differs from what was recorded
   */
  public List<TransferResult> decide(Draft draft) {
    List<TransferResult> results =
        Bookkeeper.decide(item, draft, index -> expected.get(index).recordedAt());
    for (int i = 0; i < expected.size(); i++) {
      TransferResult result = results.get(i);
      if (!expected.get(i).equals(result.transfer())) {
        throw new MisuseException(
            "transfer "
                + expected.get(i).id()
                + " does not come out as recorded: "
                + (result.transfer() == null ? result.status() : result.transfer())
                + " instead of "
                + expected.get(i));
      }
    }
    return results;
  }
}
