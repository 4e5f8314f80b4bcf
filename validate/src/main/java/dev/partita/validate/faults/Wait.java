package dev.partita.validate.faults;

import java.sql.SQLException;
import java.time.Duration;

/** Waits for conditions that come soon unless something is broken. */
public final class Wait {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 5;

  private Wait() {}

  /** Something that is asked again and again. */
  @FunctionalInterface
  public interface Condition {
    /** Whether it holds. */
    boolean holds() throws SQLException;
  }

  /**
   * Waits for at most a minute.
   *
   * @param what it is, for the message
   * @throws IllegalStateException if it does not come
   */
  public static void until(String what, Condition condition)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("not within " + PATIENCE + ": " + what);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
