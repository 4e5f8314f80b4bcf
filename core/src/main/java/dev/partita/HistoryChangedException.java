package dev.partita;

/**
 * A cursor of the change feed leads into a history that this ledger does not have: since it was
 * given out, the ledger was put back to an earlier state (a backup was restored, a standby took
 * over that had not got everything) or is another one (its schema was made anew). What was read up
 * to the cursor may never have happened as far as this ledger knows.
 *
 * <p>Nothing that is repeated helps. Read the feed from the beginning and compare by {@link
 * LedgerEvent#id}: the same id has the same content wherever both histories have it, but for the
 * time of recording and what follows from the events that are gone.
 */
public final class HistoryChangedException extends MisuseException {

  private static final long serialVersionUID = 1;

  /**
   * A cursor of another history.
   *
   * @param what what shows it
   */
  public HistoryChangedException(String what) {
    super("cursor", what);
  }
}
