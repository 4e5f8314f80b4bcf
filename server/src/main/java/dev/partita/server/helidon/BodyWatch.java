package dev.partita.server.helidon;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Cuts connections on which a body has stopped coming or is no longer taken; Helidon's reads and
 * writes know no time-out. Safe for use by any number of threads.
 */
final class BodyWatch implements AutoCloseable {

  private static final int LOOKS_PER_TIMEOUT = 4;

  private final long timeoutNanos;
  private final Set<Transit> moving = ConcurrentHashMap.newKeySet();
  private final Thread watcher;
  private volatile boolean closed;

  /**
   * Cuts a connection that is silent in the middle of a read or write for longer than {@code
   * timeout}.
   */
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
      for (Transit transit : moving) {
        transit.cutIfSilent(nowNanos, timeoutNanos);
      }
    }
  }

  /** A read or write begins. */
  void begin(Transit transit) {
    moving.add(transit);
  }

  /** It has ended. */
  void end(Transit transit) {
    moving.remove(transit);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watcher);
  }
}
