package dev.partita.validate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much a suite does.
 *
 * @param size for a run that ends after so much work
 * @param duration for a run that ends after so much time, whatever the size; null: by size
 */
public record Effort(Size size, @Nullable Duration duration) {

  /** Amounts of work. */
  public enum Size {
    /** Seconds: shows that the suite itself works. */
    SMOKE,
    /** Minutes: enough to believe the result. */
    NORMAL
  }

  /** Enough to believe the result. */
  public static final Effort NORMAL = new Effort(Size.NORMAL, null);

  /** Enough to see that the suite works. */
  public static final Effort SMOKE = new Effort(Size.SMOKE, null);

  /** As long as wanted. */
  public static Effort lasting(Duration duration) {
    return new Effort(Size.NORMAL, duration);
  }
}
