package dev.partita.server.auth;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many failed authentications are answered one by one: a burst, and then some each second. A
 * bucket of tokens, one for the whole server, so that its size does not depend on who fails. Only
 * failures take from it: nobody can lock out the holders of right keys by presenting wrong ones.
 * Safe for use by any number of threads.
 */
public final class FailureLimit {

  private static final int BURST = 50;
  private static final long NANOS_PER_TOKEN = Duration.ofMillis(100).toNanos();
  private static final long FULL_NANOS = BURST * NANOS_PER_TOKEN;

  private final LongSupplier nanoTime;
  // Guarded by this: what is in the bucket, as the time in which it came, and when that was.
  private long savedNanos = FULL_NANOS;
  private long asOfNanos;

  /** A full bucket: 50 failures at once, and 10 a second. */
  public FailureLimit() {
    this(System::nanoTime);
  }

  FailureLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.asOfNanos = nanoTime.getAsLong();
  }

  /** Whether one more failure is within the limit. */
  public synchronized boolean admits() {
    long now = nanoTime.getAsLong();
    savedNanos = Math.min(FULL_NANOS, savedNanos + Math.max(0, now - asOfNanos));
    asOfNanos = now;
    if (savedNanos < NANOS_PER_TOKEN) {
      return false;
    }
    savedNanos -= NANOS_PER_TOKEN;
    return true;
  }
}
