package dev.partita.server.helidon;

import org.jspecify.annotations.Nullable;

/**
 * The reads of one request's body or the writes of one response's, one at a time, under watch. One
 * that takes too long is interrupted, which closes its connection.
 */
final class Transit {

  private final BodyWatch watch;

  // Guarded by this: the watch must not interrupt a thread that reads or writes no longer.
  private @Nullable Thread thread;
  private long sinceNanos;
  private boolean cut;

  Transit(BodyWatch watch) {
    this.watch = watch;
  }

  /** This thread begins to read or write. */
  void begin() {
    synchronized (this) {
      thread = Thread.currentThread();
      sinceNanos = System.nanoTime();
    }
    watch.begin(this);
  }

  /** It has ended, well or not. */
  void end() {
    watch.end(this);
    synchronized (this) {
      thread = null;
    }
  }

  /** Interrupts what takes too long. */
  synchronized void cutIfSilent(long nowNanos, long timeoutNanos) {
    if (thread != null && !cut && nowNanos - sinceNanos > timeoutNanos) {
      cut = true;
      thread.interrupt();
    }
  }

  /** Whether it was cut. */
  synchronized boolean isCut() {
    return cut;
  }
}
