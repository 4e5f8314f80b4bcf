package dev.partita;

import org.jspecify.annotations.Nullable;

/**
 * A post inside the caller's own database transaction met another transaction that it cannot be
 * ordered with. Nothing was posted; roll the transaction back and run it again.
 */
public final class ConflictException extends UnavailableException {

  private static final long serialVersionUID = 1;

  /** A conflict. */
  public ConflictException(String message, @Nullable Throwable cause) {
    super(Reason.CONFLICT, Outcome.NOT_POSTED, message, cause);
  }
}
