package dev.partita.embedded;

import java.util.Objects;

/**
 * The server could not be started or stopped. The message is written for the person at the
 * terminal: it names the directory, what was found there and what to do about it. {@link #reason()}
 * is for programs.
 */
public final class EmbeddedPostgresException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What went wrong, coarse enough to choose an exit code or a retry by. */
  public enum Reason {
    /**
     * No server binaries for this operating system and processor, or a way of running that is not
     * supported.
     */
    UNSUPPORTED_HOST,
    /** The binaries could not be unpacked or do not run on this machine. */
    BINARIES_UNUSABLE,
    /** The directory cannot be created, entered or written to. */
    DIRECTORY_UNUSABLE,
    /** The directory holds something that Partita did not put there; nothing in it was touched. */
    DIRECTORY_FOREIGN,
    /**
     * Another process, or another handle in this process, holds the directory. A retry may succeed
     * later.
     */
    DIRECTORY_IN_USE,
    /** The directory was written by another major version of PostgreSQL, or by a newer Partita. */
    VERSION_MISMATCH,
    /** Files that belong to a finished directory are missing or do not belong together. */
    DIRECTORY_DAMAGED,
    /** The server did not start in time, or ended while starting. */
    START_FAILED,
    /** The server runs with settings that could lose a commit, and was stopped again. */
    NOT_DURABLE,
    /** A server, or one of its processes, did not end when told to. */
    STOP_FAILED
  }

  private final Reason reason;

  EmbeddedPostgresException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  EmbeddedPostgresException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** What went wrong, for programs that decide by it. */
  public Reason reason() {
    return reason;
  }
}
