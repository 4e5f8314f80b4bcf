package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * How a lane answers. What its callers have asked to be done with an answer is done on their own
 * threads, never on the lane's. Safe for use by several threads.
 */
final class LaneAnswers {

  /** How long those who were answered may take at most to ask again before others are served. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** So few are answered sooner than another thread is woken to do it. */
  private static final int FEW = 128;

  private final WriteQueue queue;
  private final Executor threads;
  private final Reports reports;

  LaneAnswers(WriteQueue queue, Executor threads, Reports reports) {
    this.queue = queue;
    this.threads = threads;
    this.reports = reports;
  }

  /** Who is told of what the lane does. */
  Reports reports() {
    return reports;
  }

  /**
   * Answers, and gives those who were answered their turn: a batch taken at once would have the
   * first few of them, and the others would wait for it. Their turn is over when a task queued
   * behind them runs, not after a time; if as many wait already, there is nothing to wait for.
   */
  void give(List<Decision.Answered> answered, List<Decision.Failed> failed)
      throws InterruptedException {
    failed.forEach(one -> fail(one.ticket(), one.failure()));
    CountDownLatch turn = new CountDownLatch(1);
    if (answered.size() <= FEW) {
      answered.forEach(LaneAnswers::give);
      if (answered.size() > 1) {
        threads.execute(turn::countDown);
      }
    } else {
      threads.execute(
          () -> {
            answered.forEach(LaneAnswers::give);
            threads.execute(turn::countDown);
          });
    }
    if (answered.size() > 1 && queue.size() < answered.size()) {
      boolean ignored = turn.await(TURN_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private static void give(Decision.Answered answered) {
    answered.ticket().answer().complete(answered.result());
  }

  void fail(Ticket ticket, LedgerException failure) {
    reports.unanswered(ticket, failure);
    threads.execute(() -> ticket.answer().completeExceptionally(failure));
  }

  /**
   * Tells those whose deadline has passed.
   *
   * @return the others
   */
  List<Ticket> failOverdue(List<Ticket> tickets) {
    long now = System.nanoTime();
    List<Ticket> left = new ArrayList<>(tickets.size());
    for (Ticket ticket : tickets) {
      if (now - ticket.deadlineNanos() < 0) {
        left.add(ticket);
      } else {
        fail(ticket, LaneFailures.timedOut(ticket.isUnknown()));
      }
    }
    return left;
  }

  void refuse(Iterable<Ticket> tickets, UnavailableException reason) {
    for (Ticket ticket : tickets) {
      fail(ticket, ticket.isUnknown() ? LaneFailures.timedOut(true) : reason);
    }
  }
}
