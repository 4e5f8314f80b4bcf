package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * Stored data or an internal invariant is broken. The writer that found it records nothing further
 * from it; run {@code verify} and find the cause before going on.
 */
public non-sealed class CorruptionException extends LedgerException {

  private static final long serialVersionUID = 1;

  /** A broken invariant. */
  public CorruptionException(String message) {
    this(message, null);
  }

  /** A broken invariant with the failure that showed it. */
  public CorruptionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
