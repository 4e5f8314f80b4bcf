package dev.partita.lab.load;

/** What became of an operation: exactly one of these. */
public enum Outcome {
  /** Durably made, all of it or the part that was not refused. */
  COMMITTED,
  /** Refused by a rule, such as for lack of funds. */
  REJECTED,
  /** Made before: the same id again. */
  REPLAYED,
  /** Others were faster, too often: SQLSTATE 40001, 40P01, 55P03. */
  CONFLICT,
  /** Took longer than it may, before anything was sent to be committed. */
  TIMEOUT,
  /** No connection, or it broke before anything was sent to be committed. */
  TRANSIENT,
  /** The commit was sent, and no answer came. */
  INDETERMINATE,
  /** Anything else. */
  ERROR,
  /** Not begun, because too many were under way. */
  DROPPED,
  /** Begun and not ended when the run was over. */
  UNFINISHED;

  /** Whether the target did what it is there for. */
  public boolean isAnswer() {
    return this == COMMITTED || this == REJECTED || this == REPLAYED;
  }
}
