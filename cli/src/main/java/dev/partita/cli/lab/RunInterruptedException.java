package dev.partita.cli.lab;

/** A run was interrupted; the message says what became of it. */
public final class RunInterruptedException extends InterruptedException {

  private static final long serialVersionUID = 1;

  /** Because of whatever the interruption led to. */
  RunInterruptedException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
