package dev.partita;

import java.time.Instant;
import java.util.Objects;

/**
 * Something that a ledger recorded, as {@link Ledger#feed} tells it. Immutable.
 *
 * <p>Assets are not among them: they are few, never change, and every event names its own.
 */
public sealed interface LedgerEvent {

  /**
   * Names it for ever: the same in every delivery, after a restore and in a copy made by export and
   * import, and of no other event of the ledger. Keep it to recognise what was delivered before.
   *
   * <p>{@code opened:ACCOUNT}, {@code changed:ACCOUNT:NUMBER} or {@code transfer:ID}.
   */
  String id();

  /** When it was recorded. Never decreases along an account; says nothing about order otherwise. */
  Instant recordedAt();

  /** Where to go on after it, to be passed to {@link Ledger#feed} as it is. */
  String cursor();

  /** This event with another cursor. */
  LedgerEvent at(String newCursor);

  /**
   * An account was opened.
   *
   * @param cursor where to go on after it
   * @param account with the limits and metadata of the day it was opened
   * @param recordedAt when
   */
  record AccountOpened(String cursor, NewAccount account, Instant recordedAt)
      implements LedgerEvent {

    /** Checks presence. */
    public AccountOpened {
      Objects.requireNonNull(cursor, "cursor");
      Objects.requireNonNull(account, "account");
      Objects.requireNonNull(recordedAt, "recordedAt");
    }

    @Override
    public String id() {
      return "opened:" + account.id();
    }

    @Override
    public AccountOpened at(String newCursor) {
      return new AccountOpened(newCursor, account, recordedAt);
    }
  }

  /**
   * The terms of an account were changed: limits, metadata, closed or reopened.
   *
   * @param cursor where to go on after it
   * @param change what was recorded
   * @param asset the account's
   */
  record AccountChanged(String cursor, AccountChange change, AssetCode asset)
      implements LedgerEvent {

    /** Checks presence. */
    public AccountChanged {
      Objects.requireNonNull(cursor, "cursor");
      Objects.requireNonNull(change, "change");
      Objects.requireNonNull(asset, "asset");
    }

    @Override
    public String id() {
      return "changed:" + change.account() + ":" + change.number();
    }

    @Override
    public Instant recordedAt() {
      return change.recordedAt();
    }

    @Override
    public AccountChanged at(String newCursor) {
      return new AccountChanged(newCursor, change, asset);
    }
  }

  /**
   * A transfer of any kind was recorded.
   *
   * @param cursor where to go on after it
   * @param transfer what was recorded
   */
  record TransferRecorded(String cursor, Transfer transfer) implements LedgerEvent {

    /** Checks presence. */
    public TransferRecorded {
      Objects.requireNonNull(cursor, "cursor");
      Objects.requireNonNull(transfer, "transfer");
    }

    @Override
    public String id() {
      return "transfer:" + transfer.id();
    }

    @Override
    public Instant recordedAt() {
      return transfer.recordedAt();
    }

    @Override
    public TransferRecorded at(String newCursor) {
      return new TransferRecorded(newCursor, transfer);
    }
  }
}
