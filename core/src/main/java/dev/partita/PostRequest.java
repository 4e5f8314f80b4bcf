package dev.partita;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items to post together in one call: decided in order as if sent one after another. One item
 * failing never fails its neighbours.
 *
 * @param items groups and single transfers, naming 0 … 10,000 transfers in all
 */
public record PostRequest(List<PostItem> items) {

  /** Most transfers of one request. */
  public static final int TRANSFERS_MAX = 10_000;

  /**
   * Checks the items.
   *
   * @throws MisuseException naming the item and field if one may not be posted by a caller, or if
   *     there are too many transfers
   */
  public PostRequest {
    items = List.copyOf(items);
    int count = 0;
    for (int i = 0; i < items.size(); i++) {
      PostItem item = items.get(i);
      count += item.transferCount();
      switch (item) {
        case TransferRequest transfer -> requireCallers(i, null, transfer);
        case GroupRequest group -> {
          for (int m = 0; m < group.members().size(); m++) {
            requireCallers(i, m, group.members().get(m));
          }
        }
        case GroupResolution resolution -> {}
      }
    }
    if (count > TRANSFERS_MAX) {
      throw new MisuseException(
          "items", "a request has at most 10,000 transfers, this one has " + count + "; split it");
    }
  }

  /** A request of one item. */
  public static PostRequest of(PostItem item) {
    return new PostRequest(List.of(item));
  }

  /** How many transfers the items name. */
  public int transferCount() {
    int count = 0;
    for (PostItem item : items) {
      count += item.transferCount();
    }
    return count;
  }

  private static void requireCallers(int item, @Nullable Integer member, TransferRequest transfer) {
    String field = member == null ? "" : "members[" + member + "].";
    if (transfer.kind() == TransferKind.EXPIRY) {
      throw new MisuseException(item, field + "kind", "an EXPIRY is recorded by the engine alone");
    }
    if (Ids.isEngineMade(transfer.id())) {
      throw new MisuseException(
          item,
          field + "id",
          transfer.id() + " is a version 8 UUID, which the engine keeps for itself; use 7 or 4");
    }
  }
}
