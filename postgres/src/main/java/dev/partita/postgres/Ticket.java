package dev.partita.postgres;

import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.PostItem;
import dev.partita.PostResult;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.rules.Restoration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way: queued, taken up by a lane or withdrawn by its caller, then answered.
 *
 * <ol>
 *   <li>Callers and the lane agree on who has it by one compare-and-set of its state.
 *   <li>All other mutable fields belong to the lane that took it up.
 * </ol>
 */
final class Ticket {

  private enum State {
    QUEUED,
    TAKEN,
    WITHDRAWN
  }

  /** The version of ids that begin with the time. */
  private static final int TIME_ORDERED = 7;

  /** Bytes that a transfer takes on its way besides its text. */
  private static final int TRANSFER_BYTES = 400;

  private final List<PostItem> items;
  private final @Nullable List<Restoration> restorations;
  private final int transfers;
  private final long bytes;
  private final long madeMillis;
  private final long deadlineNanos;
  private final CompletableFuture<PostResult> answer = new CompletableFuture<>();
  private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
  private final Map<Long, Map<UUID, Integer>> lost = new HashMap<>(0);
  private long waitingSinceNanos = NOT_WAITING;

  /** Not waiting for locked accounts. */
  static final long NOT_WAITING = Long.MIN_VALUE;

  /**
   * A ticket.
   *
   * @param items what to decide
   * @param restorations for a restore, the same items with what must come out; otherwise null
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   */
  Ticket(List<PostItem> items, @Nullable List<Restoration> restorations, long deadlineNanos) {
    this.items = items;
    this.restorations = restorations;
    this.deadlineNanos = deadlineNanos;
    int count = 0;
    long size = 0;
    for (PostItem item : items) {
      count += item.transferCount();
      size += bytes(item);
    }
    this.transfers = count;
    this.bytes = size;
    this.madeMillis = items.isEmpty() ? 0 : millis(items.getFirst());
  }

  List<PostItem> items() {
    return items;
  }

  @Nullable List<Restoration> restorations() {
    return restorations;
  }

  /** Whether it only asks for direct transfers, none of which a lost commit may have recorded. */
  boolean isDirect() {
    return restorations == null
        && lost.isEmpty()
        && items.stream()
            .allMatch(
                item ->
                    item instanceof TransferRequest transfer
                        && transfer.kind() == TransferKind.DIRECT);
  }

  int transfers() {
    return transfers;
  }

  long bytes() {
    return bytes;
  }

  /** When its first id was made, in milliseconds, if that is of version 7; otherwise 0. */
  long madeMillis() {
    return madeMillis;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  CompletableFuture<PostResult> answer() {
    return answer;
  }

  /** Takes it up; false if its caller has withdrawn it. */
  boolean take() {
    return state.compareAndSet(State.QUEUED, State.TAKEN);
  }

  /** Withdraws it; false if a lane has taken it up. */
  boolean withdraw() {
    return state.compareAndSet(State.QUEUED, State.WITHDRAWN);
  }

  /**
   * Remembers a batch whose commit got no answer, and what it would have created for this request
   * at which place in it: what is found stored just there was created for this request and no
   * other. The number of a batch alone is no proof where it was not known before the commit.
   */
  void lost(long batch, Map<UUID, Integer> created) {
    lost.put(batch, created);
  }

  /** Whether something of it may be recorded without anyone knowing. */
  boolean isUnknown() {
    return !lost.isEmpty();
  }

  /** Whether the request would have created this in a batch whose commit got no answer. */
  boolean wasLostAs(TransferRows.Stored stored) {
    Map<UUID, Integer> created = lost.getOrDefault(stored.batch(), Map.of());
    return Objects.equals(created.get(stored.transfer().id()), stored.batchIndex());
  }

  /** Since when it waits for accounts that others have locked, or {@link #NOT_WAITING}. */
  long waitingSinceNanos() {
    return waitingSinceNanos;
  }

  void waitsSince(long nanos) {
    waitingSinceNanos = nanos;
  }

  private static long millis(PostItem item) {
    UUID id =
        switch (item) {
          case TransferRequest transfer -> transfer.id();
          case GroupRequest group -> group.members().getFirst().id();
          case GroupResolution resolution -> resolution.id();
        };
    return id.version() == TIME_ORDERED ? id.getMostSignificantBits() >>> Short.SIZE : 0;
  }

  private static long bytes(PostItem item) {
    return switch (item) {
      case TransferRequest transfer -> bytes(transfer);
      case GroupRequest group -> {
        long sum = TRANSFER_BYTES;
        for (TransferRequest member : group.members()) {
          sum += bytes(member);
        }
        yield sum;
      }
      case GroupResolution resolution -> TRANSFER_BYTES;
    };
  }

  private static long bytes(TransferRequest transfer) {
    String reference = transfer.reference();
    return TRANSFER_BYTES
        + transfer.metadata().bytes()
        + (reference == null ? 0 : 2L * reference.length());
  }
}
