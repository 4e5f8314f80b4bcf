package dev.partita.json;

import dev.partita.MisuseException;
import dev.partita.VerifyReport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a verification that runs on the server is.
 *
 * @param id names it
 * @param state whether it still runs
 * @param done units of work done so far
 * @param total all units, as far as known now
 * @param report what it found, exactly if DONE
 * @param problem why it failed, if FAILED and told; otherwise null
 */
public record Verification(
    String id,
    State state,
    long done,
    long total,
    @Nullable VerifyReport report,
    @Nullable Problem problem) {

  /** What becomes of a verification. */
  public enum State {
    /** It goes on. */
    RUNNING,
    /** It has ended, with a report. */
    DONE,
    /** It could not be completed; begin another. */
    FAILED
  }

  /**
   * Checks presence.
   *
   * @throws MisuseException unless there is a report exactly if DONE, and a problem only if FAILED
   */
  public Verification {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(state, "state");
    if ((state == State.DONE) != (report != null)) {
      throw new MisuseException("report", "stands beside DONE, and only there");
    }
    if (problem != null && state != State.FAILED) {
      throw new MisuseException("problem", "stands beside FAILED, and only there");
    }
  }

  /** A verification of which no problem is told. */
  public Verification(
      String id, State state, long done, long total, @Nullable VerifyReport report) {
    this(id, state, done, total, report, null);
  }
}
