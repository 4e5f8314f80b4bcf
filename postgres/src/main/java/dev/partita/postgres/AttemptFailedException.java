package dev.partita.postgres;

import dev.partita.postgres.SqlFailures.Failure;

/** A lane's batch failed; what it means is in the kind. */
final class AttemptFailedException extends Exception {
  private static final long serialVersionUID = 1;

  final Failure kind;
  final Throwable cause;

  AttemptFailedException(Failure kind, Throwable cause) {
    super(cause);
    this.kind = kind;
    this.cause = cause;
  }
}
