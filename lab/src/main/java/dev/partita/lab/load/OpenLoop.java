package dev.partita.lab.load;

import dev.partita.lab.arrival.Arrivals;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Operations begin when they are meant to, whatever the target does: as with callers who do not
 * know of each other. A response is timed from the intended start, so that waiting in front of a
 * slow target counts. The pacer never waits: what finds no place among those under way is dropped
 * and counted.
 */
public final class OpenLoop {

  /** How much later than asked a parked thread wakes up. */
  private static final long OVERSHOOT_NANOS = 60_000;

  private final List<Worker> workers;
  private final Source source;
  private final Arrivals arrivals;
  private final Limits limits;
  private final Observer observer;
  private final AtomicReference<Throwable> death = new AtomicReference<>();

  /**
   * Bounds of a run.
   *
   * @param inFlight most operations under way at once
   * @param workerWait how long an operation waits for a worker before it is a TIMEOUT
   */
  public record Limits(int inFlight, Duration workerWait) {}

  private OpenLoop(
      List<Worker> workers, Source source, Arrivals arrivals, Limits limits, Observer observer) {
    this.workers = workers;
    this.source = source;
    this.arrivals = arrivals;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Offers operations at the times of a schedule.
   *
   * @throws IllegalStateException if something died: then nothing was measured
   */
  public static Measured run(
      List<Worker> workers,
      Source source,
      Arrivals arrivals,
      Limits limits,
      Window window,
      Observer observer)
      throws InterruptedException {
    return new OpenLoop(workers, source, arrivals, limits, observer).run(window);
  }

  private Measured run(Window window) throws InterruptedException {
    long start = System.nanoTime();
    long begin = start + window.warmUp().toNanos();
    long end = begin + window.length().toNanos();
    Tally tally = new Tally(begin, end);
    Workers pool = new Workers(workers);
    Semaphore places = new Semaphore(limits.inFlight());
    Set<Pending> underWay = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Threads.of(workers).start(workers.size());
    try {
      for (long intended = start + arrivals.nextNanos();
          intended - end < 0 && observer.wantsMore();
          intended = start + arrivals.nextNanos()) {
        Operation operation = source.next();
        pause(intended);
        tally.offered(intended);
        tally.underWay(intended, limits.inFlight() - places.availablePermits());
        if (!places.tryAcquire()) {
          tally.dropped(intended);
          continue;
        }
        tally.dispatched(intended);
        Pending pending = new Pending(operation, intended, System.nanoTime());
        underWay.add(pending);
        threads.execute(
            () -> {
              try {
                perform(pending, pool, tally, underWay);
              } finally {
                places.release();
              }
            });
      }
      threads.shutdown();
      if (!threads.awaitTermination(window.drain().toNanos(), TimeUnit.NANOSECONDS)) {
        giveUp(underWay, tally);
      }
    } finally {
      threads.shutdownNow();
    }
    Throwable cause = death.get();
    if (cause != null) {
      throw new IllegalStateException("an operation died: " + cause, cause);
    }
    return tally.measured("open loop, " + arrivals.describe(), limits.inFlight());
  }

  private static void pause(long intended) throws InterruptedException {
    for (long left = intended - System.nanoTime() - OVERSHOOT_NANOS;
        left > 0;
        left = intended - System.nanoTime() - OVERSHOOT_NANOS) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void perform(Pending pending, Workers pool, Tally tally, Set<Pending> underWay) {
    Answer answer = null;
    long begun = 0;
    try {
      long waited = System.nanoTime() - pending.dispatched();
      Worker worker = pool.borrow(limits.workerWait().minusNanos(waited));
      begun = System.nanoTime();
      if (worker == null) {
        answer = Answer.failed(Outcome.TIMEOUT);
      } else {
        try {
          answer = worker.perform(pending.operation());
        } finally {
          pool.giveBack(worker);
        }
      }
    } catch (InterruptedException e) {
      // The run is over, and this was counted as unfinished.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      death.compareAndSet(null, e);
    }
    end(pending, answer, begun, tally, underWay);
  }

  /** Whoever takes it out of what is under way counts it: once. */
  private void end(
      Pending pending, @Nullable Answer answer, long begun, Tally tally, Set<Pending> underWay) {
    if (answer == null || !underWay.remove(pending)) {
      return;
    }
    tally.ended(
        new Tally.Span(pending.intended(), pending.dispatched(), begun, System.nanoTime()), answer);
    observer.ended(pending.operation(), answer);
  }

  private void giveUp(Set<Pending> underWay, Tally tally) {
    for (Pending pending : List.copyOf(underWay)) {
      if (underWay.remove(pending)) {
        tally.unfinished(pending.intended());
        observer.ended(pending.operation(), Answer.failed(Outcome.UNFINISHED));
      }
    }
  }

  /** By identity: the same operation may be under way twice. */
  private static final class Pending {
    private final Operation operation;
    private final long intended;
    private final long dispatched;

    Pending(Operation operation, long intended, long dispatched) {
      this.operation = operation;
      this.intended = intended;
      this.dispatched = dispatched;
    }

    Operation operation() {
      return operation;
    }

    long intended() {
      return intended;
    }

    long dispatched() {
      return dispatched;
    }
  }
}
