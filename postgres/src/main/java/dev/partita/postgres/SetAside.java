package dev.partita.postgres;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The requests of a lane that wait for others' transactions, so that nobody else waits with them.
 *
 * <ol>
 *   <li>Those whose accounts are locked wait aside, and are tried together.
 *   <li>What waits for something other than an account, such as an id that an open transaction has
 *       used, or has lost its connection too often, is blocked: each is tried by itself.
 * </ol>
 *
 * <p>For one thread at a time.
 */
final class SetAside {

  /** Between attempts to lock the accounts of those aside. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Between attempts that wait in the row's own queue, so that nobody is overtaken for ever. */
  private static final long IN_LINE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between attempts to record what is blocked. */
  private static final long BLOCKED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final WriteQueue queue;
  private final LaneAnswers answers;
  private final LaneRounds.Bounds bounds;

  private List<Ticket> aside = new ArrayList<>();
  private long nextInLineNanos = System.nanoTime();
  private final Deque<Ticket> blocked = new ArrayDeque<>();
  private long nextBlockedNanos = System.nanoTime();
  private int countedTransfers;
  private long countedBytes;

  SetAside(WriteQueue queue, LaneAnswers answers, LaneRounds.Bounds bounds) {
    this.queue = queue;
    this.answers = answers;
    this.bounds = bounds;
  }

  void add(Ticket ticket) {
    aside.add(ticket);
  }

  void block(Ticket ticket) {
    blocked.addLast(ticket);
  }

  boolean isEmpty() {
    return aside.isEmpty() && blocked.isEmpty();
  }

  boolean hasAside() {
    return !aside.isEmpty();
  }

  /** All that wait here. */
  List<Ticket> all() {
    List<Ticket> all = new ArrayList<>(aside);
    all.addAll(blocked);
    return all;
  }

  void removeAll(List<Ticket> tickets) {
    aside.removeAll(tickets);
    blocked.removeAll(tickets);
  }

  /** Whether it is time to wait in line for the accounts of those aside. */
  boolean isBlockingDue() {
    return System.nanoTime() - nextInLineNanos >= 0;
  }

  /** Somebody has waited in line for accounts, to no avail or not. */
  void waitedInLine() {
    nextInLineNanos = System.nanoTime() + IN_LINE_NANOS;
  }

  boolean isBlockedDue() {
    return !blocked.isEmpty() && System.nanoTime() - nextBlockedNanos >= 0;
  }

  Ticket takeBlocked() {
    return blocked.removeFirst();
  }

  void blockedWasTried() {
    nextBlockedNanos = System.nanoTime() + BLOCKED_PAUSE_NANOS;
  }

  /** Those that have waited aside the longest, as many as fit a batch: the others' turn comes. */
  List<Ticket> take() {
    int count = 0;
    int transfers = 0;
    while (count < aside.size()
        && (count == 0 || transfers + aside.get(count).transfers() <= bounds.batchTransfersMax())) {
      transfers += aside.get(count).transfers();
      count++;
    }
    List<Ticket> taken = new ArrayList<>(aside.subList(0, count));
    aside = new ArrayList<>(aside.subList(count, aside.size()));
    return taken;
  }

  /** What waits here takes its room in the queue, so that the two together stay bounded. */
  void count() {
    int transfers = 0;
    long bytes = 0;
    for (Ticket ticket : all()) {
      transfers += ticket.transfers();
      bytes += ticket.bytes();
    }
    queue.countAside(transfers - countedTransfers, bytes - countedBytes);
    countedTransfers = transfers;
    countedBytes = bytes;
  }

  /** Tells those whose deadline has passed. */
  void failOverdue() {
    aside = answers.failOverdue(aside);
    blocked.retainAll(answers.failOverdue(List.copyOf(blocked)));
  }

  /** Whether a request goes on waiting for others' transactions; if not, it is answered. */
  boolean isPatient(Ticket ticket) {
    long now = System.nanoTime();
    if (ticket.waitingSinceNanos() == Ticket.NOT_WAITING) {
      ticket.waitsSince(now);
    }
    if (ticket.isUnknown()
        || now - ticket.waitingSinceNanos() <= bounds.contentionPatience().toNanos()) {
      return true;
    }
    answers.fail(
        ticket,
        new UnavailableException(
            Reason.CONTENTION,
            Outcome.NOT_POSTED,
            "its accounts or ids stayed locked by other transactions for "
                + bounds.contentionPatience()
                + "; nothing was posted",
            null));
    return false;
  }
}
