package dev.partita.json;

import dev.partita.LedgerEvent;

/** What kind of event it is, by the word that documents and streams use for it. */
public enum EventKind {
  /** An account was opened. */
  ACCOUNT_OPENED,
  /** The terms of an account were changed. */
  ACCOUNT_CHANGED,
  /** A transfer was recorded. */
  TRANSFER_RECORDED;

  /** The kind of an event. */
  public static EventKind of(LedgerEvent event) {
    return switch (event) {
      case LedgerEvent.AccountOpened opened -> ACCOUNT_OPENED;
      case LedgerEvent.AccountChanged changed -> ACCOUNT_CHANGED;
      case LedgerEvent.TransferRecorded recorded -> TRANSFER_RECORDED;
    };
  }
}
