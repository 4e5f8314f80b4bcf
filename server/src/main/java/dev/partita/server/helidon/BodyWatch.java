package dev.partita.server.helidon;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Cuts connections whose request's body has stopped coming; Helidon's reads know no time-out. Safe
 * for use by any number of threads.
 */
final class BodyWatch implements AutoCloseable {

  private static final int LOOKS_PER_TIMEOUT = 4;

  private final long timeoutNanos;
  private final Set<RequestBody> reading = ConcurrentHashMap.newKeySet();
  private final Thread watcher;
  private volatile boolean closed;

  /** Cuts a connection that is silent in the middle of a body for longer than {@code timeout}. */
  BodyWatch(Duration timeout) {
    timeoutNanos = timeout.toNanos();
    watcher = Thread.ofVirtual().name("partita-body-watch").unstarted(this::watch);
  }

  void start() {
    watcher.start();
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(timeoutNanos / LOOKS_PER_TIMEOUT);
      long nowNanos = System.nanoTime();
      for (RequestBody body : reading) {
        body.cutIfSilent(nowNanos, timeoutNanos);
      }
    }
  }

  /** A read of this body begins. */
  void begin(RequestBody body) {
    reading.add(body);
  }

  /** The read has ended. */
  void end(RequestBody body) {
    reading.remove(body);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watcher);
  }
}
