package dev.partita;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ledger could not answer now. {@link #outcome()} says whether anything may have been recorded;
 * repeating the same request with the same ids is always safe.
 */
public non-sealed class UnavailableException extends LedgerException {

  private static final long serialVersionUID = 1;

  /** What is known about the request. */
  public enum Outcome {
    /** Nothing of the request was or will be recorded. */
    NOT_POSTED,
    /** It may have been recorded; repeat it with the same ids to learn. */
    UNKNOWN
  }

  /** Why there is no answer. */
  public enum Reason {
    /** The bounded queue is full: slow down and repeat. */
    QUEUE_FULL,
    /** The accounts stayed locked by other transactions for longer than the contention patience. */
    CONTENTION,
    /** The request's patience ended while it was queued or its batch could not be completed. */
    TIMED_OUT,
    /** The caller withdrew the request (interrupt or cancel) before it was taken up. */
    WITHDRAWN,
    /** The ledger is closed or closing. */
    CLOSED,
    /** The database cannot be reached, or is not able to write. */
    DATABASE_UNAVAILABLE,
    /** The database refused this request for a reason that the ledger does not know. */
    DATABASE_ERROR,
    /** The schema was migrated to a version this node does not understand: upgrade the node. */
    SCHEMA_TOO_NEW,
    /** Another transaction got in between; the caller's transaction has to be repeated. */
    CONFLICT
  }

  private final Reason reason;
  private final Outcome outcome;

  /** An answer that could not be given. */
  public UnavailableException(
      Reason reason, Outcome outcome, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason);
    this.outcome = Objects.requireNonNull(outcome);
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** Whether anything may have been recorded. */
  public Outcome outcome() {
    return outcome;
  }
}
