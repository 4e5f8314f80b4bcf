package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.LedgerException;
import dev.partita.Page;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells streams that wait for the next event when there is one. However many wait, the ledger is
 * asked by one thread, for one event, once an interval; if nobody waits it is not asked at all.
 *
 * <p>It is asked from where the stream that has waited longest stands. Whatever is new to any
 * stream that waits is new to that one too: of two streams that have both read to the end, the one
 * that did so earlier stands earlier. Safe for use by any number of threads.
 */
final class FeedWatch implements AutoCloseable {

  private final Ledger ledger;
  private final Duration interval;

  // Guarded by this.
  private final Deque<Waiter> waiting = new ArrayDeque<>();
  private boolean asking;
  private boolean closed;

  private record Waiter(String cursor, CompletableFuture<Boolean> news) {}

  FeedWatch(Ledger ledger, Duration interval) {
    this.ledger = ledger;
    this.interval = interval;
  }

  /**
   * Waits until there may be something after a place.
   *
   * @param cursor where a stream has read to the end
   * @return whether there may be; otherwise the time is over, or the watch is closed
   */
  boolean await(String cursor, Duration patience) throws InterruptedException {
    Waiter waiter = new Waiter(cursor, new CompletableFuture<>());
    synchronized (this) {
      if (closed) {
        return false;
      }
      waiting.addLast(waiter);
      if (!asking) {
        asking = true;
        Thread.ofVirtual().name("partita-feed-watch").start(this::ask);
      }
    }
    try {
      return waiter.news().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      synchronized (this) {
        waiting.remove(waiter);
      }
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void ask() {
    while (true) {
      Waiter first;
      synchronized (this) {
        first = waiting.peekFirst();
        if (first == null) {
          asking = false;
          return;
        }
      }
      if (mayHaveNews(first.cursor())) {
        wake(true);
      }
      try {
        Thread.sleep(interval);
      } catch (InterruptedException _) {
        // Nobody interrupts this thread; if so, it asks a little early.
      }
    }
  }

  private boolean mayHaveNews(String cursor) {
    try {
      Page<?> page = ledger.feed(cursor, 1);
      return !page.items().isEmpty();
    } catch (LedgerException _) {
      // The streams will see for themselves.
      return true;
    }
  }

  private synchronized void wake(boolean news) {
    for (Waiter waiter : waiting) {
      waiter.news().complete(news);
    }
    waiting.clear();
  }

  /** Ends all waiting, and what would be. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    wake(false);
  }
}
