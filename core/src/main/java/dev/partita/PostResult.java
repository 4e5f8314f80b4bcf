package dev.partita;

import java.util.List;

/**
 * The answers to a {@link PostRequest}, in its order.
 *
 * @param items one for each item
 */
public record PostResult(List<Item> items) {

  /** Takes a copy. */
  public PostResult {
    items = List.copyOf(items);
  }

  /**
   * The answers to one item.
   *
   * @param transfers one for a transfer, one for each member of a group, one for each hold of a
   *     resolved group (a single {@code NOT_PENDING} if it has none)
   */
  public record Item(List<TransferResult> transfers) {

    /** Takes a copy. */
    public Item {
      transfers = List.copyOf(transfers);
    }

    /** Whether all of its transfers are recorded. */
    public boolean isRecorded() {
      for (TransferResult transfer : transfers) {
        if (!transfer.status().isRecorded()) {
          return false;
        }
      }
      return true;
    }
  }

  /** One result per transfer, in order. */
  public List<TransferResult> transfers() {
    if (items.size() == 1) {
      return items.getFirst().transfers();
    }
    return items.stream().flatMap(item -> item.transfers().stream()).toList();
  }
}
