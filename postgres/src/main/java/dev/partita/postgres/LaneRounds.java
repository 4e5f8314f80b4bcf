package dev.partita.postgres;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.postgres.BatchReport.Way;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a lane does on its connection: brings batches to their end.
 *
 * <ol>
 *   <li>Nobody is answered before the commit is. After a commit without an answer everything is
 *       decided again on a new connection, under the locks.
 *   <li>Accounts that others keep locked do not hold up other accounts: after the lock time-out
 *       those requests wait aside until they can be locked or the contention patience ends.
 *   <li>An error of unknown cause is tried once more, then the batch is halved until the request at
 *       fault stands alone.
 * </ol>
 *
 * <p>For the thread that has both the lane's helm and its wire, but for what says otherwise.
 */
final class LaneRounds {

  private static final System.Logger LOG = System.getLogger(LaneRounds.class.getName());

  private static final long RECONNECT_MIN_MILLIS = 50;
  private static final long RECONNECT_MAX_MILLIS = 1_000;
  private static final int RACES_MAX = 10;
  private static final int LOSSES_MAX = 2;

  private final WriteQueue queue;
  private final LaneConnection connections;
  private final LookUp lookUp;
  private final RecordWriter writer;
  private final LaneAnswers answers;
  private final Reports reports;
  private final Bounds bounds;

  /** Counted down when the lane is to end. */
  private final CountDownLatch stopping;

  private final KnownStates states = new KnownStates();

  /** Written by who has the wire; for anyone to read. */
  private volatile @Nullable Connection connection;

  private final SetAside setAside;

  /** What is at work; some of it may be answered or put aside already. */
  private List<Ticket> inHand = List.of();

  /** Batches that were sent ahead of their look-up, in vain. */
  private final Deque<InVain> inVain = new ArrayDeque<>();

  /** When the last round trip of the batch under locks began. */
  private long endBeganNanos;

  /** Whether the last batch was nothing but repeats. */
  private boolean repeating;

  /** Whether anything is here but what is queued; for anyone to read. */
  private volatile boolean troubled;

  /** What bounds a lane. */
  record Bounds(int batchTransfersMax, Duration contentionPatience) {}

  /**
   * A batch decided on what is known, that nobody else has changed if all is as it was.
   *
   * @param tickets the requests
   * @param transfers of all of them
   * @param decision on all of them
   * @param write what is to be sent
   * @param beganNanos when it was taken up
   */
  record Ahead(
      List<Ticket> tickets,
      int transfers,
      Decision decision,
      RecordWriter.IfAlone write,
      long beganNanos) {}

  /** A batch sent ahead in vain, and how it was. */
  private record InVain(List<Ticket> tickets, boolean notAlone, boolean locked) {}

  LaneRounds(
      WriteQueue queue,
      LaneConnection connections,
      LookUp lookUp,
      RecordWriter writer,
      LaneAnswers answers,
      Bounds bounds,
      CountDownLatch stopping) {
    this.queue = queue;
    this.connections = connections;
    this.lookUp = lookUp;
    this.writer = writer;
    this.answers = answers;
    this.reports = answers.reports();
    this.bounds = bounds;
    this.stopping = stopping;
    this.setAside = new SetAside(queue, answers, bounds);
  }

  /** Connects before the first request, so that what can never work fails at once. */
  void connectFirst() throws SQLException, UnknownCommitException {
    connection = connections.open();
  }

  /** Refuses what is here, and lets go of the connection. */
  void close() {
    inVain.forEach(batch -> answers.refuse(batch.tickets(), WriteQueue.closed()));
    answers.refuse(setAside.all(), WriteQueue.closed());
    if (connection != null) {
      connections.release(connection);
    }
  }

  /**
   * Decides a batch before it is the batch's turn on the connection, as if all before it had been
   * recorded: only if everything that decides it is known, and everything is going to be recorded.
   * A refusal, or an answer to a repeat, would have nothing to prove that it is right.
   *
   * <p>For the thread that has the helm.
   *
   * @return null if it is not so
   */
  @Nullable Ahead decideAhead(List<Ticket> batch) {
    int transfers = batch.stream().mapToInt(Ticket::transfers).sum();
    if (transfers >= RecordWriter.COPY_FROM_RECORDS || !batch.stream().allMatch(Ticket::isDirect)) {
      return null;
    }
    long beganNanos = System.nanoTime();
    try {
      FoundBooks assumed = lookUp.assume(Needs.of(batch), states);
      if (assumed == null) {
        return null;
      }
      Decision decision = Decision.of(batch, assumed);
      if (!decision.recordsAll(transfers)) {
        return null;
      }
      Ahead ahead = new Ahead(batch, transfers, decision, writer.ifAlone(decision), beganNanos);
      states.learn(assumed, decision.draft()); // Last of all: nothing on top of what is not sent.
      return ahead;
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a batch cannot be decided ahead", e);
      return null; // The ordinary way finds the request at fault.
    }
  }

  /**
   * Records what was decided ahead, if nobody else has recorded anything meanwhile. Otherwise it is
   * kept, and {@link #isTroubled}.
   *
   * <p>For the thread that has the wire, and only while there was no trouble since the decision.
   *
   * @return what to answer; null if nothing was recorded or nobody knows
   */
  @Nullable List<Decision.Answered> send(Ahead ahead) {
    boolean recorded = false;
    boolean notAlone = false;
    boolean locked = false;
    try {
      Connection lane = connection;
      if (lane != null) {
        long sentNanos = System.nanoTime();
        Instant recordedAt = writer.writeIfAlone(lane, ahead.write(), states.lastRecordedAt());
        if (recordedAt != null) {
          states.confirm(recordedAt);
          List<Decision.Answered> answered = ahead.decision().answeredAt(recordedAt);
          recorded = true;
          reports.finished(Way.AHEAD, answered, ahead.beganNanos(), sentNanos);
          return answered;
        }
        notAlone = true;
      }
    } catch (UnknownCommitException e) {
      ahead.decision().lost();
      noteLost(ahead.decision().found());
      discard();
    } catch (SQLException e) {
      Failure kind = SqlFailures.classify(e);
      locked = kind == Failure.LOCK_TIMEOUT;
      if (kind == Failure.CONNECTION || kind == Failure.NO_SESSION) {
        LOG.log(Level.WARNING, "the lane lost its connection: {0}", e.getMessage());
        discard();
      } else {
        endTransaction();
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a lane failed; what it was at is decided again", e);
      ahead.decision().lost();
      discard();
    } finally {
      // However it ended, nothing that was decided on top of it may be sent.
      if (!recorded) {
        inVain.addLast(new InVain(ahead.tickets(), notAlone, locked));
        troubled = true;
        reports.sentInVain(ahead.transfers());
      }
    }
    return null;
  }

  /** Whether it has a connection, as far as it knows; for anyone to ask. */
  boolean isConnected() {
    return connection != null;
  }

  /** Whether something waits here that must be seen to before anything is decided ahead. */
  boolean isTroubled() {
    return troubled;
  }

  /** Brings a batch to its end, after what was sent ahead in vain. */
  void run(List<Ticket> batch) throws InterruptedException {
    boolean locked = retryInVain();
    bring(batch, locked, false);
    count();
  }

  /** Sees to what waits here, together with what is queued. */
  void settle() throws InterruptedException {
    if (!inVain.isEmpty()) {
      retryInVain();
    } else if (setAside.isBlockedDue()) {
      // One at a time, so that nobody else waits with it.
      bring(List.of(setAside.takeBlocked()), true, false);
      setAside.blockedWasTried();
    } else if (!setAside.hasAside()) {
      bring(queue.take(bounds.batchTransfersMax(), SetAside.PAUSE_NANOS), false, false);
    } else if (setAside.isBlockingDue()) {
      bring(setAside.take(), false, true);
      setAside.waitedInLine();
    } else {
      List<Ticket> queued = queue.take(bounds.batchTransfersMax(), SetAside.PAUSE_NANOS);
      List<Ticket> batch = setAside.take();
      batch.addAll(queued);
      bring(batch, true, false);
    }
    count();
  }

  /**
   * Decides again what was sent ahead in vain.
   *
   * @return whether others had accounts locked for long
   */
  private boolean retryInVain() throws InterruptedException {
    boolean locked = false;
    while (!inVain.isEmpty()) {
      InVain batch = inVain.removeFirst();
      if (batch.notAlone()) {
        states.disappoint();
      } else {
        states.forget();
      }
      if (batch.locked()) {
        locked = true;
        setAside.waitedInLine();
      }
      bring(batch.tickets(), locked, false);
    }
    return locked;
  }

  /** Goes on after what should not have happened. What was in hand may be recorded or not. */
  void survive(Throwable failure, List<Ticket> batch) {
    LOG.log(Level.ERROR, "a lane failed; it goes on with the next batch", failure);
    discard();
    states.forget();
    List<Ticket> lost = new ArrayList<>(inHand);
    lost.addAll(batch);
    inHand = List.of();
    setAside.removeAll(lost);
    lost.forEach(ticket -> answers.fail(ticket, LaneFailures.timedOut(true)));
    count();
  }

  private void bring(List<Ticket> batch, boolean skipLocked, boolean fromAside)
      throws InterruptedException {
    inHand = batch;
    process(batch, skipLocked, fromAside);
    inHand = List.of();
  }

  private void count() {
    setAside.count();
    troubled = !inVain.isEmpty() || !setAside.isEmpty();
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
      batch = answers.failOverdue(batch);
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
              batch.forEach(setAside::add);
              return;
            }
            if (skip) {
              // No account, then: an id, a group, or the table itself.
              block(batch);
              return;
            }
            skip = true;
            setAside.waitedInLine();
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
      answers.fail(
          ticket, new UnavailableException(Reason.DATABASE_ERROR, outcome, message, failure.cause));
    }
  }

  private void isolate(List<Ticket> batch, boolean skip, AttemptFailedException failure)
      throws InterruptedException {
    if (batch.size() == 1) {
      LOG.log(Level.ERROR, "a request cannot be recorded", failure.cause);
      answers.fail(batch.getFirst(), LaneFailures.culprit(batch.getFirst(), failure.cause));
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
      setAside.block(batch.getFirst());
    }
  }

  /**
   * Finds the requests that wait for something other than an account, and lets the others go on.
   */
  private void block(List<Ticket> batch) throws InterruptedException {
    if (batch.size() > 1) {
      halve(batch, true);
    } else if (setAside.isPatient(batch.getFirst())) {
      setAside.block(batch.getFirst());
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
    long beganNanos = System.nanoTime();
    try {
      Decision repeated = repeating && !skip ? repeat(lane, batch) : null;
      if (repeated != null) {
        done = true;
        reports.finished(Way.REPEATS, repeated.answered(), beganNanos, beganNanos);
        answers.give(repeated.answered(), repeated.failed());
        return;
      }
      ended = record(lane, batch, skip);
      states.learn(ended.found(), ended.draft());
      repeating = ended.existsAll();
      done = true;
      putAside(ended.deferred(), skip);
      reports.finished(Way.LOCKED, ended.answered(), beganNanos, endBeganNanos);
      answers.give(ended.answered(), ended.failed());
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

  /**
   * Answers a batch of nothing but repeats in one round trip: what is recorded never changes, so
   * nothing is locked and no account is looked at.
   *
   * @return null if any transfer of it is new, or may be anything but direct
   */
  private @Nullable Decision repeat(Connection lane, List<Ticket> batch)
      throws SQLException, AttemptFailedException {
    if (!batch.stream().allMatch(Ticket::isDirect)) {
      return null;
    }
    Set<UUID> ids = Needs.of(batch).transfers;
    FoundBooks found = new FoundBooks();
    try {
      connections.requireSession(lookUp.readRecorded(lane, ids, found));
    } catch (UnknownCommitException e) {
      throw failed(Failure.CONNECTION, e);
    }
    return ids.stream().allMatch(id -> found.stored(id) != null) ? Decision.of(batch, found) : null;
  }

  /** Two round trips, or three for large batches. */
  private Decision record(Connection lane, List<Ticket> batch, boolean skip)
      throws SQLException, AttemptFailedException {
    FoundBooks found =
        lookUp.run(lane, Needs.of(batch), skip ? Mode.LANE_SKIPPING_LOCKED : Mode.LANE, states);
    connections.requireSession(found.backendPid());
    Decision decision = Decision.of(batch, found);
    endBeganNanos = System.nanoTime();
    if (decision.draft().size() > 0) {
      commit(lane, decision);
    } else if (decision.answered().isEmpty()) {
      LaneConnection.rollBack(lane);
    } else {
      confirm(lane);
    }
    return decision;
  }

  private void commit(Connection lane, Decision decision)
      throws SQLException, AttemptFailedException {
    try {
      writer.writeAndCommit(lane, decision);
    } catch (UnknownCommitException e) {
      decision.lost();
      noteLost(decision.found());
      throw failed(Failure.CONNECTION, e);
    }
  }

  private void noteLost(FoundBooks found) {
    reports.commitUnknown();
    LOG.log(Level.WARNING, "no answer to the commit of batch {0}; deciding again", found.batch());
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
    endTransaction();
  }

  private void endTransaction() {
    Connection lane = connection;
    if (lane != null) {
      try {
        LaneConnection.rollBack(lane);
      } catch (SQLException e) {
        discard();
      }
    }
  }

  private void drop() {
    states.forget();
    discard();
  }

  private void discard() {
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
        reports.reconnected();
      } catch (SchemaGate.TooNewException e) {
        batch.forEach(ticket -> answers.fail(ticket, e.unavailable(ticket.isUnknown())));
        batch.clear();
        return null;
      } catch (SQLException | UnknownCommitException | RuntimeException e) {
        LOG.log(Level.WARNING, "the lane cannot connect: {0}", e.getMessage());
        boolean ends = stopping.await(pauseMillis, TimeUnit.MILLISECONDS);
        pauseMillis = Math.min(2 * pauseMillis, RECONNECT_MAX_MILLIS);
        if (ends) {
          answers.refuse(batch, WriteQueue.closed());
          batch.clear();
          return null;
        }
        setAside.failOverdue();
        List<Ticket> left = answers.failOverdue(batch);
        batch.retainAll(left);
        if (batch.isEmpty()) {
          return null;
        }
      }
    }
    return connection;
  }

  private void putAside(List<Ticket> deferred, boolean skipped) {
    for (Ticket ticket : deferred) {
      // Deferred without skipping means only that something turned up unlocked: no contention.
      if (!skipped || setAside.isPatient(ticket)) {
        setAside.add(ticket);
      }
    }
  }
}
