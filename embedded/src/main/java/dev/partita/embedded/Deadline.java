package dev.partita.embedded;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A point in time to wait for something until. Waiting survives an interrupt: stopping a server
 * must not be cut short.
 */
final class Deadline {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final long endNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline after(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos());
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }

  /**
   * Waits a few milliseconds. An interrupt is kept for later: it would turn the caller's loop into
   * a busy one.
   */
  static void pause() {
    boolean isInterrupted = Thread.interrupted();
    LockSupport.parkNanos(PAUSE_NANOS);
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
