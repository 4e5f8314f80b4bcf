package dev.partita.postgres;

import dev.partita.postgres.LaneRounds.Ahead;
import dev.partita.postgres.RecordWriter.UnknownCommitException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One writing connection and the two threads that commit batches on it: group commit without a
 * timer. A thread takes whatever waits, decides it, commits it, answers, and takes what has come
 * meanwhile.
 *
 * <p>The threads take turns. Whoever has the <i>helm</i> takes a batch and decides it; whoever has
 * the <i>wire</i> uses the connection. A thread with a batch gives the helm away when it has got
 * the wire, so that the other one can decide the next batch while the server is at work on this
 * one: ahead, as if this one were recorded already. If it is not, what was decided ahead is thrown
 * away and decided again, as is everything that cannot be decided ahead, by a thread that has both
 * and keeps them; see {@link LaneRounds}. With few requests one thread keeps the helm and the other
 * one sleeps.
 *
 * <p>The helm is always taken first.
 */
final class Lane implements Runnable {

  /** Run by so many threads. */
  static final int THREADS = 2;

  /** From so many transfers on, queued and under way, the next batch is decided ahead. */
  private static final int SHARED_FROM = 256;

  private final WriteQueue queue;
  private final LaneRounds rounds;
  private final LaneAnswers answers;
  private final int batchTransfersMax;

  private final ReentrantLock helm = new ReentrantLock();
  private final ReentrantLock wire = new ReentrantLock();

  /** Transfers that the server is at work on. Written by who has the wire. */
  private volatile int underWay;

  /** Whether the last batch was decided ahead. For who has the helm. */
  private boolean wentAhead;

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger running = new AtomicInteger(THREADS);

  Lane(
      WriteQueue queue,
      LaneConnection connections,
      LookUp lookUp,
      RecordWriter writer,
      LaneAnswers answers,
      LaneRounds.Bounds bounds) {
    this.queue = queue;
    this.answers = answers;
    this.batchTransfersMax = bounds.batchTransfersMax();
    this.rounds = new LaneRounds(queue, connections, lookUp, writer, answers, bounds, stopping);
  }

  /** Connects before the first request, so that what can never work fails at once. */
  void connectFirst() throws SQLException, UnknownCommitException {
    rounds.connectFirst();
  }

  /** Lets go of a lane that was never started. */
  void abandon() {
    rounds.close();
  }

  /** Ends the lane after the batch it is at. */
  void stop() {
    stopping.countDown();
  }

  /** Waits until the lane has ended. */
  boolean awaitStopped(Duration atMost) throws InterruptedException {
    return stopped.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  boolean isConnected() {
    return rounds.isConnected();
  }

  /** Whether both threads have ended. */
  boolean isStopped() {
    return stopped.getCount() == 0;
  }

  @Override
  public void run() {
    helm.lock();
    try {
      while (!isStopping()) {
        step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      if (helm.isHeldByCurrentThread()) {
        helm.unlock();
      }
      if (running.decrementAndGet() == 0) {
        rounds.close();
        stopped.countDown();
      }
    }
  }

  /** Begins and ends with the helm. */
  private void step() throws InterruptedException {
    List<Ticket> batch = List.of();
    try {
      // In this order: who has failed to record something says so before it is no longer under way.
      int before = underWay;
      if (rounds.isTroubled()) {
        settle();
        return;
      }
      batch =
          queue.take(fairShare(before), before == 0 ? WriteQueue.forEver() : SetAside.PAUSE_NANOS);
      if (!batch.isEmpty()) {
        work(batch);
      }
    } catch (InterruptedException e) {
      survive(e, batch);
      throw e;
    } catch (RuntimeException | Error e) {
      survive(e, batch);
    }
  }

  /** Whoever waits must be answered, and others served. */
  private void survive(Throwable failure, List<Ticket> batch) {
    if (!helm.isHeldByCurrentThread()) {
      helm.lock();
    }
    wire.lock();
    try {
      rounds.survive(failure, batch);
    } finally {
      wire.unlock();
    }
  }

  private void settle() throws InterruptedException {
    wire.lock();
    try {
      rounds.settle();
    } finally {
      wire.unlock();
    }
  }

  /**
   * How much to take: half of what is queued and under way, so that the two halves take turns. All
   * of it if there is little, or if it could hardly be decided ahead.
   */
  private int fairShare(int transfersUnderWay) {
    int all = queue.transfers() + transfersUnderWay;
    return all < SHARED_FROM || !wentAhead
        ? batchTransfersMax
        : Math.min(batchTransfersMax, (all + 1) / 2);
  }

  private void work(List<Ticket> batch) throws InterruptedException {
    Ahead ahead = rounds.decideAhead(batch);
    wentAhead = ahead != null;
    wire.lock();
    @Nullable List<Decision.Answered> answered = null;
    try {
      if (ahead == null || rounds.isTroubled()) {
        rounds.run(batch);
        return;
      }
      underWay = ahead.transfers();
      if (queue.transfers() + ahead.transfers() >= SHARED_FROM) {
        helm.unlock();
      }
      answered = rounds.send(ahead);
    } finally {
      underWay = 0;
      wire.unlock();
    }
    if (answered != null) {
      answers.give(answered, List.of());
    }
    if (!helm.isHeldByCurrentThread()) {
      helm.lock();
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }
}
