package dev.partita.validate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When enough is done: after so many units or, if a time was asked for, after that. Thread-safe.
 */
public final class Goal {

  private final long target;
  private final @Nullable Long deadlineNanos;

  Goal(long target, @Nullable Duration duration) {
    this.target = target;
    this.deadlineNanos = duration == null ? null : System.nanoTime() + duration.toNanos();
  }

  /** Whether it is reached with so much done. */
  public boolean reached(long done) {
    return deadlineNanos == null ? done >= target : System.nanoTime() - deadlineNanos >= 0;
  }

  /** The units wanted, or 0 if it is a matter of time. */
  public long target() {
    return deadlineNanos == null ? target : 0;
  }
}
