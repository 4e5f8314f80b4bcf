package dev.partita.postgres;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Records the EXPIRY of due holds while the node runs. Any number of nodes may sweep: a hold that
 * another has expired meanwhile is left alone.
 */
final class Sweeper implements Runnable, AutoCloseable {

  private final Writer writer;
  private final Duration interval;
  private final Set<UUID> underWay = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stopping = new CountDownLatch(1);

  Sweeper(Writer writer, Duration interval) {
    this.writer = writer;
    this.interval = interval;
  }

  @Override
  public void run() {
    try {
      while (!stopping.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        sweep();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sweep() {
    try {
      writer.sweep(underWay);
    } catch (RuntimeException e) {
      // Whatever it is (a pool's own exception, say): holds must not stay held for ever after it.
      System.getLogger(Sweeper.class.getName())
          .log(Level.WARNING, "due holds stay held until the next sweep: {0}", e.toString());
    }
  }

  @Override
  public void close() {
    stopping.countDown();
  }
}
