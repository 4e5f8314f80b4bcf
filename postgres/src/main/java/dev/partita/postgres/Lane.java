package dev.partita.postgres;

import dev.partita.LedgerException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.LookUp.Mode;
import dev.partita.postgres.RecordWriter.UnknownCommitException;
import dev.partita.postgres.SqlFailures.Failure;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One writing connection and the thread that commits batches on it.
 *
 * <ol>
 *   <li>It takes whatever waits, decides it, commits it, and takes what has come meanwhile: group
 *       commit without a timer.
 *   <li>Nobody is answered before the commit is. After a commit without an answer everything is
 *       decided again on a new connection, under the locks.
 *   <li>Accounts that others keep locked do not hold up other accounts: after the lock time-out
 *       those requests wait aside until they can be locked or the contention patience ends.
 *   <li>An error of unknown cause is tried once more, then the batch is halved until the request at
 *       fault stands alone.
 *   <li>Answers are given on another thread.
 * </ol>
 *
 * <p>All fields but the latches belong to the lane's thread.
 */
final class Lane implements Runnable {

  private static final System.Logger LOG = System.getLogger(Lane.class.getName());

  /** Between attempts to lock the accounts of requests that wait aside. */
  private static final long ASIDE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Between attempts that wait in the row's own queue, so that nobody is overtaken for ever. */
  private static final long ASIDE_BLOCKING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long RECONNECT_MIN_MILLIS = 50;
  private static final long RECONNECT_MAX_MILLIS = 1_000;
  private static final int RACES_MAX = 10;
  private static final int LOSSES_MAX = 2;

  /** Between attempts to record a request that waits for something other than an account. */
  private static final long BLOCKED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long those who were answered may take at most to ask again before others are served. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final WriteQueue queue;
  private final LaneConnection connections;
  private final LookUp lookUp;
  private final RecordWriter writer;
  private final Limits limits;

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  private final KnownStates states = new KnownStates();

  private @Nullable Connection connection;
  private List<Ticket> aside = new ArrayList<>();
  private long blockingAttemptNanos = System.nanoTime();

  /**
   * What waits for something other than an account, such as an id that an open transaction has
   * used, or has lost its connection too often; each tried by itself.
   */
  private final Deque<Ticket> blocked = new ArrayDeque<>();

  /** What the step at work has taken up; some of it may be answered or put aside already. */
  private List<Ticket> inHand = List.of();

  private long blockedAttemptNanos = System.nanoTime();
  private int asideTransfers;
  private long asideBytes;

  /** What bounds a lane, and where it answers. */
  record Limits(int batchTransfersMax, Duration contentionPatience, Executor answers) {}

  /** A batch failed; what it means is in the kind. */
  private static final class AttemptFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final Failure kind;
    private final Throwable cause;

    AttemptFailedException(Failure kind, Throwable cause) {
      super(cause);
      this.kind = kind;
      this.cause = cause;
    }
  }

  Lane(
      WriteQueue queue,
      LaneConnection connections,
      LookUp lookUp,
      RecordWriter writer,
      Limits limits) {
    this.queue = queue;
    this.connections = connections;
    this.lookUp = lookUp;
    this.writer = writer;
    this.limits = limits;
  }

  /** Connects before the first request, so that what can never work fails at once. */
  void connectFirst() throws SQLException, UnknownCommitException {
    connection = connections.open();
  }

  /** Ends the lane after the batch it is at. */
  void stop() {
    stopping.countDown();
  }

  /** Waits until the lane has ended. */
  boolean awaitStopped(Duration atMost) throws InterruptedException {
    return stopped.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void run() {
    try {
      while (!isStopping()) {
        stepAndSurvive();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      refuse(aside, WriteQueue.closed());
      refuse(blocked, WriteQueue.closed());
      if (connection != null) {
        connections.release(connection);
      }
      stopped.countDown();
    }
  }

  private void stepAndSurvive() throws InterruptedException {
    try {
      step();
    } catch (RuntimeException | Error e) {
      // Whoever waits must be answered, and others served. What was in hand may be recorded or not.
      LOG.log(Level.ERROR, "a lane failed; it goes on with the next batch", e);
      drop();
      aside.removeAll(inHand);
      blocked.removeAll(inHand);
      inHand.forEach(ticket -> fail(ticket, LaneFailures.timedOut(true)));
    }
    inHand = List.of();
    countAside();
  }

  private void step() throws InterruptedException {
    if (!blocked.isEmpty() && System.nanoTime() - blockedAttemptNanos >= 0) {
      // One at a time, so that nobody else waits with it.
      inHand = List.of(blocked.removeFirst());
      process(inHand, true, false);
      blockedAttemptNanos = System.nanoTime() + BLOCKED_PAUSE_NANOS;
      return;
    }
    if (aside.isEmpty()) {
      long wait = blocked.isEmpty() ? WriteQueue.forEver() : ASIDE_PAUSE_NANOS;
      inHand = queue.take(limits.batchTransfersMax(), wait);
      process(inHand, false, false);
      return;
    }
    if (System.nanoTime() - blockingAttemptNanos >= 0) {
      inHand = takeAside();
      process(inHand, false, true);
      blockingAttemptNanos = System.nanoTime() + ASIDE_BLOCKING_NANOS;
      return;
    }
    List<Ticket> batch = queue.take(limits.batchTransfersMax(), ASIDE_PAUSE_NANOS);
    inHand = takeAside();
    inHand.addAll(batch);
    process(inHand, true, false);
  }

  /** Those that have waited aside the longest, as many as fit a batch: the others' turn comes. */
  private List<Ticket> takeAside() {
    int count = 0;
    int transfers = 0;
    while (count < aside.size()
        && (count == 0 || transfers + aside.get(count).transfers() <= limits.batchTransfersMax())) {
      transfers += aside.get(count).transfers();
      count++;
    }
    List<Ticket> taken = new ArrayList<>(aside.subList(0, count));
    aside = new ArrayList<>(aside.subList(count, aside.size()));
    return taken;
  }

  /** What waits aside takes its room in the queue, so that the two together stay bounded. */
  private void countAside() {
    int transfers = 0;
    long bytes = 0;
    for (Ticket ticket : aside) {
      transfers += ticket.transfers();
      bytes += ticket.bytes();
    }
    for (Ticket ticket : blocked) {
      transfers += ticket.transfers();
      bytes += ticket.bytes();
    }
    queue.countAside(transfers - asideTransfers, bytes - asideBytes);
    asideTransfers = transfers;
    asideBytes = bytes;
  }

  /**
   * Brings a batch to its end: every ticket is answered, failed or put aside.
   *
   * @param skipLocked whether not to wait for locked accounts
   * @param fromAside whether these waited aside, so that a lock time-out only sends them back
   */
  private void process(List<Ticket> tickets, boolean skipLocked, boolean fromAside)
      throws InterruptedException {
    List<Ticket> batch = tickets;
    boolean skip = skipLocked;
    int others = 0;
    int races = 0;
    int losses = 0;
    while (true) {
      batch = failOverdue(batch);
      if (batch.isEmpty()) {
        return;
      }
      try {
        attempt(connect(batch), batch, skip);
        return;
      } catch (AttemptFailedException e) {
        Failure kind = e.kind == Failure.RACE && ++races > RACES_MAX ? Failure.OTHER : e.kind;
        switch (kind) {
          case RACE -> {}
          case LOCK_TIMEOUT -> {
            if (fromAside) {
              aside.addAll(batch);
              return;
            }
            if (skip) {
              // No account, then: an id, a group, or the table itself.
              block(batch);
              return;
            }
            skip = true;
            blockingAttemptNanos = System.nanoTime() + ASIDE_BLOCKING_NANOS;
          }
          case CONNECTION -> {
            LOG.log(Level.WARNING, "the lane lost its connection: {0}", e.cause.getMessage());
            if (++losses > LOSSES_MAX) {
              keepApart(batch, skip);
              return;
            }
          }
          case NO_SESSION -> {
            failAll(batch, e);
            return;
          }
          case OTHER -> {
            if (++others >= 2) {
              isolate(batch, skip, e);
              return;
            }
          }
        }
      }
    }
  }

  /** The connections themselves are at fault: no request would fare better alone. */
  private void failAll(List<Ticket> batch, AttemptFailedException failure) {
    String message = String.valueOf(failure.cause.getMessage());
    if (!(failure.cause instanceof LaneConnection.NoSessionException)) {
      message += "; " + LaneConnection.SESSION_WANTED;
    }
    LOG.log(Level.ERROR, "nothing can be recorded: {0}", message);
    for (Ticket ticket : batch) {
      Outcome outcome = ticket.isUnknown() ? Outcome.UNKNOWN : Outcome.NOT_POSTED;
      fail(
          ticket, new UnavailableException(Reason.DATABASE_ERROR, outcome, message, failure.cause));
    }
  }

  private void isolate(List<Ticket> batch, boolean skip, AttemptFailedException failure)
      throws InterruptedException {
    if (batch.size() == 1) {
      LOG.log(Level.ERROR, "a request cannot be recorded", failure.cause);
      fail(batch.getFirst(), LaneFailures.culprit(batch.getFirst(), failure.cause));
      return;
    }
    halve(batch, skip);
  }

  private void halve(List<Ticket> batch, boolean skip) throws InterruptedException {
    int half = batch.size() / 2;
    process(new ArrayList<>(batch.subList(0, half)), skip, false);
    process(new ArrayList<>(batch.subList(half, batch.size())), skip, false);
  }

  /** The server is there, but not for these: perhaps one of them ends the session every time. */
  private void keepApart(List<Ticket> batch, boolean skip) throws InterruptedException {
    if (batch.size() > 1) {
      halve(batch, skip);
    } else {
      blocked.addLast(batch.getFirst());
    }
  }

  /**
   * Finds the requests that wait for something other than an account, and lets the others go on.
   */
  private void block(List<Ticket> batch) throws InterruptedException {
    if (batch.size() > 1) {
      halve(batch, true);
    } else if (isPatient(batch.getFirst())) {
      blocked.addLast(batch.getFirst());
    }
  }

  /** One round: lock and look up, decide, record and commit, answer. */
  private void attempt(@Nullable Connection lane, List<Ticket> batch, boolean skip)
      throws AttemptFailedException, InterruptedException {
    if (lane == null) {
      return;
    }
    boolean done = false;
    Decision ended = null;
    try {
      Needs needs = Needs.of(batch);
      ended = skip ? null : recordAlone(lane, batch, needs);
      if (ended == null) {
        ended = record(lane, batch, needs, skip);
      } else {
        ended = Decision.of(batch, ended.found()); // The same, at the time that it now has.
      }
      states.learn(ended.found(), ended.draft());
      done = true;
      putAside(ended.deferred(), skip);
      answer(ended);
    } catch (SQLException e) {
      throw failed(SqlFailures.classify(e), e);
    } catch (RuntimeException e) {
      if (ended != null) {
        ended.lost();
      }
      throw failed(Failure.OTHER, e);
    } finally {
      if (!done) {
        rollBack();
      }
    }
  }

  /** One round in two round trips. */
  private Decision record(Connection lane, List<Ticket> batch, Needs needs, boolean skip)
      throws SQLException, AttemptFailedException {
    FoundBooks found =
        lookUp.run(lane, needs, skip ? Mode.LANE_SKIPPING_LOCKED : Mode.LANE, states);
    connections.requireSession(found.backendPid());
    Decision decision = Decision.of(batch, found);
    if (decision.draft().size() > 0) {
      commit(lane, decision);
    } else if (decision.answered().isEmpty()) {
      LaneConnection.rollBack(lane);
    } else {
      confirm(lane);
    }
    return decision;
  }

  /**
   * One round in one round trip, if all that decides it is known, nobody else is likely to have
   * recorded anything, and everything is going to be recorded: a refusal, or an answer to a repeat,
   * would have nothing to prove that it is right.
   *
   * @return what was decided, except for its time, which is in what it was decided on; null if it
   *     is not so, or turned out not to be: nothing was recorded then
   */
  private @Nullable Decision recordAlone(Connection lane, List<Ticket> batch, Needs needs)
      throws SQLException, AttemptFailedException {
    int transfers = batch.stream().mapToInt(Ticket::transfers).sum();
    boolean fits = transfers < RecordWriter.COPY_FROM_RECORDS;
    FoundBooks assumed =
        fits && batch.stream().allMatch(Ticket::isDirect) ? lookUp.assume(needs, states) : null;
    if (assumed == null) {
      return null;
    }
    Decision decision = Decision.of(batch, assumed);
    if (!decision.recordsAll(transfers)) {
      return null;
    }
    Instant recordedAt = null;
    try {
      recordedAt = writer.writeIfAlone(lane, decision);
    } catch (UnknownCommitException e) {
      decision.lost();
      throw lost(assumed, e);
    } catch (SQLException e) {
      Failure kind = SqlFailures.classify(e);
      if (kind != Failure.RACE && kind != Failure.OTHER) {
        throw e;
      }
      LaneConnection.rollBack(lane);
    }
    if (recordedAt == null) {
      states.disappoint();
      return null;
    }
    states.confirm();
    assumed.setNow(recordedAt);
    return decision;
  }

  private void commit(Connection lane, Decision decision)
      throws SQLException, AttemptFailedException {
    try {
      writer.writeAndCommit(lane, decision);
    } catch (UnknownCommitException e) {
      decision.lost();
      throw lost(decision.found(), e);
    }
  }

  private AttemptFailedException lost(FoundBooks found, UnknownCommitException cause) {
    LOG.log(Level.WARNING, "no answer to the commit of batch {0}; deciding again", found.batch());
    return failed(Failure.CONNECTION, cause);
  }

  private void confirm(Connection lane) throws SQLException, AttemptFailedException {
    try {
      LaneConnection.confirmFound(lane);
    } catch (UnknownCommitException e) {
      throw failed(Failure.CONNECTION, e);
    }
  }

  private AttemptFailedException failed(Failure kind, Throwable cause) {
    if (kind == Failure.CONNECTION || kind == Failure.NO_SESSION) {
      drop();
    }
    return new AttemptFailedException(kind, cause);
  }

  private void rollBack() {
    states.forget();
    Connection lane = connection;
    if (lane != null) {
      try {
        LaneConnection.rollBack(lane);
      } catch (SQLException e) {
        drop();
      }
    }
  }

  private void drop() {
    states.forget();
    Connection lane = connection;
    connection = null;
    if (lane != null) {
      LaneConnection.discard(lane);
    }
  }

  /** The connection, opened anew if need be; null once nobody waits for it any more. */
  private @Nullable Connection connect(List<Ticket> batch) throws InterruptedException {
    long pauseMillis = RECONNECT_MIN_MILLIS;
    while (connection == null) {
      try {
        connection = connections.open();
        lookUp.forget();
      } catch (SQLException | UnknownCommitException | RuntimeException e) {
        LOG.log(Level.WARNING, "the lane cannot connect: {0}", e.getMessage());
        boolean ends = stopping.await(pauseMillis, TimeUnit.MILLISECONDS);
        pauseMillis = Math.min(2 * pauseMillis, RECONNECT_MAX_MILLIS);
        if (ends) {
          refuse(batch, WriteQueue.closed());
          batch.clear();
          return null;
        }
        aside = failOverdue(aside);
        blocked.retainAll(failOverdue(List.copyOf(blocked)));
        List<Ticket> left = failOverdue(batch);
        batch.retainAll(left);
        if (batch.isEmpty()) {
          return null;
        }
      }
    }
    return connection;
  }

  /**
   * Answers, and gives those who were answered their turn: a batch taken at once would have the
   * first few of them, and the others would wait for it. Their turn is over when a task queued
   * behind them runs, not after a time; if as many wait already, there is nothing to wait for.
   */
  private void answer(Decision decision) throws InterruptedException {
    CountDownLatch turn = new CountDownLatch(1);
    limits
        .answers()
        .execute(
            () -> {
              for (Decision.Answered answered : decision.answered()) {
                answered.ticket().answer().complete(answered.result());
              }
              for (Decision.Failed failed : decision.failed()) {
                failed.ticket().answer().completeExceptionally(failed.failure());
              }
              limits.answers().execute(turn::countDown);
            });
    int answered = decision.answered().size();
    if (answered > 1 && queue.size() < answered) {
      boolean ignored = turn.await(TURN_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void putAside(List<Ticket> deferred, boolean skipped) {
    for (Ticket ticket : deferred) {
      // Deferred without skipping means only that something turned up unlocked: no contention.
      if (!skipped || isPatient(ticket)) {
        aside.add(ticket);
      }
    }
  }

  /** Whether a request goes on waiting for others' transactions; if not, it is answered. */
  private boolean isPatient(Ticket ticket) {
    long now = System.nanoTime();
    if (ticket.waitingSinceNanos() == Ticket.NOT_WAITING) {
      ticket.waitsSince(now);
    }
    if (ticket.isUnknown()
        || now - ticket.waitingSinceNanos() <= limits.contentionPatience().toNanos()) {
      return true;
    }
    fail(
        ticket,
        new UnavailableException(
            Reason.CONTENTION,
            Outcome.NOT_POSTED,
            "its accounts or ids stayed locked by other transactions for "
                + limits.contentionPatience()
                + "; nothing was posted",
            null));
    return false;
  }

  private List<Ticket> failOverdue(List<Ticket> tickets) {
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

  private void refuse(Iterable<Ticket> tickets, UnavailableException reason) {
    for (Ticket ticket : tickets) {
      fail(ticket, ticket.isUnknown() ? LaneFailures.timedOut(true) : reason);
    }
  }

  private void fail(Ticket ticket, LedgerException failure) {
    limits.answers().execute(() -> ticket.answer().completeExceptionally(failure));
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }
}
