package dev.partita.testkit;

import dev.partita.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A clock that moves only when a test moves it, also backwards. Safe for use by several threads;
 * every thread sees a move as soon as the call that made it returns.
 */
public final class ManualClock implements TimeSource {

  /** Where a clock stands that was given no time. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private volatile Instant now;

  /** A clock that stands at {@link #START}. */
  public ManualClock() {
    this(START);
  }

  /** A clock that stands at {@code start}. */
  public ManualClock(Instant start) {
    now = Objects.requireNonNull(start, "start");
  }

  @Override
  public Instant now() {
    return now;
  }

  /** Moves the clock to an instant, earlier or later. */
  public synchronized void set(Instant instant) {
    now = Objects.requireNonNull(instant, "instant");
  }

  /**
   * Moves the clock by a duration, which may be negative.
   *
   * @return where it stands now
   */
  public synchronized Instant advance(Duration by) {
    now = now.plus(by);
    return now;
  }

  /** Moves the clock by microseconds, the ledger's smallest step of time. */
  public Instant advanceMicros(long micros) {
    return advance(Duration.of(micros, ChronoUnit.MICROS));
  }
}
