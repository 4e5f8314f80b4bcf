package dev.partita.postgres;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records the EXPIRY of due holds while the node runs. Any number of nodes may sweep: a hold that
 * another has expired meanwhile is left alone.
 *
 * <p>A sweep begins at the deadline at which the one before found nothing more to do, less some
 * seconds: while somebody holds an old snapshot, the index keeps an entry of every hold that has
 * expired since, and a sweep from the beginning would walk over all of them. Holds that came to be
 * seen later than that, such as those of a transaction that was open for long, wait for the next
 * full sweep, once a minute.
 */
final class Sweeper implements Runnable, AutoCloseable {

  private static final Duration LATE = Duration.ofSeconds(10);
  private static final long FULL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Writer writer;
  private final Duration interval;
  private final Set<UUID> underWay = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private @Nullable Instant from;
  private long fullSweepNanos = System.nanoTime();

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
      long now = System.nanoTime();
      if (now - fullSweepNanos >= 0) {
        fullSweepNanos = now + FULL_NANOS;
        from = null;
        writer.lookAtSchema();
      }
      if (!writer.isSchemaUnderstood()) {
        return; // It was said already; the next full sweep looks again.
      }
      from = writer.sweep(underWay, from).minus(LATE);
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
