package dev.partita.postgres;

/**
 * Whether a ledger's database can be written by this node.
 *
 * @param state what it is
 * @param detail a sentence for an operator; empty if it can. It may name hosts and roles
 */
public record DatabaseCondition(State state, String detail) {

  /** What a database can be. */
  public enum State {
    /** It can be written. */
    WRITABLE,
    /** It cannot be reached, or did not answer. */
    UNREACHABLE,
    /** It is a standby. */
    STANDBY,
    /** Its transactions are read-only unless they ask to be something else. */
    READ_ONLY,
    /** The schema is of a version that this program does not understand, or is gone. */
    SCHEMA_UNUSABLE
  }
}
