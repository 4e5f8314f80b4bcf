package dev.partita.server.http;

import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets in as many requests at once as the server takes on, and none once it stops. Safe for use by
 * any number of threads. A request that is not let in was not looked at, so nothing was posted.
 */
public final class Admission {

  private final int requestsMax;
  private final Semaphore places;
  private volatile boolean stopping;

  /** Lets in {@code requestsMax} at once. */
  public Admission(int requestsMax) {
    this.requestsMax = requestsMax;
    this.places = new Semaphore(requestsMax);
  }

  /**
   * Lets a request in; {@link #leave} must follow.
   *
   * @throws ProblemException 429 if there is no place, 503 if the server is stopping
   */
  void enter() {
    if (stopping) {
      throw new ProblemException(stoppingProblem());
    }
    if (!places.tryAcquire()) {
      throw new ProblemException(
          Problem.of(
                  429,
                  "too_many_requests",
                  "the server works on "
                      + requestsMax
                      + " requests already; nothing of this one was recorded. Repeat it with the"
                      + " same ids, a little later")
              .unavailable(Reason.QUEUE_FULL, Outcome.NOT_POSTED)
              .header("Retry-After", "1"));
    }
  }

  void leave() {
    places.release();
  }

  /** Whether the server lets nobody in any more. */
  public boolean isStopping() {
    return stopping;
  }

  /** What is answered while the server stops. */
  public static Problem stoppingProblem() {
    return Problem.of(
            503,
            "unavailable",
            "the server is stopping; nothing of this request was recorded. Repeat it with the same"
                + " ids, at another server or a little later")
        .unavailable(Reason.CLOSED, Outcome.NOT_POSTED);
  }

  /**
   * Lets nobody in any more and waits until those that are in have left.
   *
   * @return whether all left in time
   */
  public boolean stop(Duration patience) {
    stopping = true;
    try {
      return places.tryAcquire(requestsMax, patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
