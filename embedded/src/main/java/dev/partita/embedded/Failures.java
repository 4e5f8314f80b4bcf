package dev.partita.embedded;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's three kinds of failure, with messages for the person at the terminal: which
 * directory, what was found there, what to do about it.
 */
final class Failures {

  private Failures() {}

  /**
   * Starting again unchanged fails again: another directory, account, machine or release is needed.
   */
  static MisuseException misuse(String message) {
    return new MisuseException(message);
  }

  static MisuseException misuse(String message, Throwable cause) {
    MisuseException failure = new MisuseException(message);
    // The type takes no cause.
    failure.addSuppressed(cause);
    return failure;
  }

  /** Starting again may help. */
  static UnavailableException unavailable(String message) {
    return unavailable(message, null);
  }

  static UnavailableException unavailable(String message, @Nullable Throwable cause) {
    return new UnavailableException(
        Reason.DATABASE_UNAVAILABLE, Outcome.NOT_POSTED, message, cause);
  }

  /** Files are missing or do not belong together. */
  static CorruptionException corruption(String message) {
    return new CorruptionException(message);
  }

  static CorruptionException corruption(String message, Throwable cause) {
    return new CorruptionException(message, cause);
  }
}
