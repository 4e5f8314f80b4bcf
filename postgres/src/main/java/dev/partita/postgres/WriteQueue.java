package dev.partita.postgres;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests that wait for a lane, in order of arrival; bounded in transfers and bytes, together
 * with what lanes have put aside. Safe for use by any number of callers and lanes.
 */
final class WriteQueue {

  private final int transfersMax;
  private final long bytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Deque<Ticket> waiting = new ArrayDeque<>();
  private int transfers;
  private long bytes;
  private int asideTransfers;
  private long asideBytes;
  private boolean closed;

  /** Whether the queue has refused every request since {@link #fullSinceNanos}. */
  private boolean full;

  private long fullSinceNanos;

  WriteQueue(int transfersMax, long bytesMax) {
    this.transfersMax = transfersMax;
    this.bytesMax = bytesMax;
  }

  /**
   * Adds a request.
   *
   * @throws UnavailableException if the queue is full or closed; nothing will be posted
   */
  void add(Ticket ticket) {
    lock.lock();
    try {
      if (closed) {
        throw closed();
      }
      boolean empty = waiting.isEmpty();
      int waitingTransfers = transfers + asideTransfers;
      long waitingBytes = bytes + asideBytes;
      if (waitingTransfers > 0
          && (waitingTransfers + ticket.transfers() > transfersMax
              || waitingBytes + ticket.bytes() > bytesMax)) {
        noteFull();
        throw new UnavailableException(
            Reason.QUEUE_FULL,
            Outcome.NOT_POSTED,
            "the queue is full ("
                + waitingTransfers
                + " transfers, "
                + waitingBytes
                + " bytes wait); nothing was posted, slow down and repeat",
            null);
      }
      full = false;
      waiting.addLast(ticket);
      transfers += ticket.transfers();
      bytes += ticket.bytes();
      if (empty) {
        filled.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes what waits, up to {@code transfersAtMost} but at least one request if any waits.
   *
   * @param waitNanos how long to wait for a first request
   * @return the requests taken up, oldest first; empty after the wait, or once closed and drained
   */
  List<Ticket> take(int transfersAtMost, long waitNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = waitNanos;
      while (waiting.isEmpty() && !closed && left > 0) {
        left = filled.awaitNanos(left);
      }
      List<Ticket> taken = new ArrayList<>(Math.min(waiting.size(), transfersAtMost));
      int count = 0;
      while (!waiting.isEmpty()) {
        Ticket next = waiting.getFirst();
        if (count > 0 && count + next.transfers() > transfersAtMost) {
          break;
        }
        waiting.removeFirst();
        transfers -= next.transfers();
        bytes -= next.bytes();
        if (next.take()) {
          count += next.transfers();
          taken.add(next);
        }
      }
      if (!waiting.isEmpty()) {
        filled.signal();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void noteFull() {
    if (!full) {
      full = true;
      fullSinceNanos = System.nanoTime();
    }
  }

  /** How it is now, with what is known of the lanes. */
  EngineState state(int lanes, int lanesConnected, int lanesStopped) {
    lock.lock();
    try {
      int allTransfers = transfers + asideTransfers;
      long allBytes = bytes + asideBytes;
      // Nobody may have tried since: half empty it would have let them in.
      full &= allTransfers > transfersMax / 2 || allBytes > bytesMax / 2;
      return new EngineState(
          transfers,
          bytes,
          asideTransfers,
          asideBytes,
          transfersMax,
          bytesMax,
          full ? Duration.ofNanos(System.nanoTime() - fullSinceNanos) : Duration.ZERO,
          lanes,
          lanesConnected,
          lanesStopped);
    } finally {
      lock.unlock();
    }
  }

  /** How many transfers wait. */
  int transfers() {
    lock.lock();
    try {
      return transfers;
    } finally {
      lock.unlock();
    }
  }

  /** How many requests wait. */
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Counts what a lane has put aside, or taken up again, as if it waited here. */
  void countAside(int moreTransfers, long moreBytes) {
    lock.lock();
    try {
      asideTransfers += moreTransfers;
      asideBytes += moreBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out the requests whose deadline has passed. All have the same patience: oldest first. */
  List<Ticket> takeOverdue(long nowNanos) {
    lock.lock();
    try {
      List<Ticket> overdue = new ArrayList<>();
      while (!waiting.isEmpty() && nowNanos - waiting.getFirst().deadlineNanos() >= 0) {
        Ticket oldest = waiting.removeFirst();
        transfers -= oldest.transfers();
        bytes -= oldest.bytes();
        if (oldest.take()) {
          overdue.add(oldest);
        }
      }
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out all that waits, without waiting, whether or not the thread is interrupted. */
  List<Ticket> drain() {
    lock.lock();
    try {
      List<Ticket> all = waiting.stream().filter(Ticket::take).toList();
      waiting.clear();
      transfers = 0;
      bytes = 0;
      return all;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses further requests; those that wait can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      filled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  static UnavailableException closed() {
    return new UnavailableException(
        Reason.CLOSED, Outcome.NOT_POSTED, "the ledger is closed; nothing was posted", null);
  }

  /** The wait in nanoseconds that never ends in practice. */
  static long forEver() {
    return TimeUnit.DAYS.toNanos(365);
  }
}
