package dev.partita.cli.connect;

/** What a command opens a ledger for. */
public enum Purpose {
  /** To look. */
  READ,
  /** To record something. */
  WRITE,
  /** To record something, perhaps the first of all: an embedded database may be made for it. */
  CREATE,
  /**
   * To take back an export, into a database that may be made for it. No hold may expire meanwhile
   * but as the export says.
   */
  RESTORE;

  /** Whether an embedded database may be made. */
  boolean mayCreate() {
    return this == CREATE || this == RESTORE;
  }

  /** Whether holds whose deadline has passed may be expired. */
  boolean expiresHolds() {
    return this == WRITE || this == CREATE;
  }
}
