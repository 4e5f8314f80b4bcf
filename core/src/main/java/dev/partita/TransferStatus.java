package dev.partita;

/**
 * Every answer to a transfer, in the order in which a transfer is judged: the first that applies is
 * the answer. The names are stable: they are stored, sent and matched on.
 */
public enum TransferStatus {
  /** Recorded now. */
  CREATED,
  /** Recorded before with equal content; the original record is the answer. */
  EXISTS,
  /** Its id was used for other content; the first field that differs is named. */
  EXISTS_DIFFERENT,
  /** Debit and credit are the same account. */
  ACCOUNTS_MUST_DIFFER,
  /** The asset is not registered. */
  UNKNOWN_ASSET,
  /** The account to debit does not exist. */
  DEBIT_ACCOUNT_NOT_FOUND,
  /** The account to credit does not exist. */
  CREDIT_ACCOUNT_NOT_FOUND,
  /** An account, or the related record, is of another asset. */
  ASSET_MISMATCH,
  /** The hold to resolve does not exist. */
  PENDING_NOT_FOUND,
  /** The record to resolve is not a hold; or the group has none. */
  NOT_PENDING,
  /** Names another account or asset than the hold has. */
  PENDING_DIFFERENT,
  /** More than the hold's original amount. */
  EXCEEDS_PENDING,
  /** The hold was ended by a POST. */
  PENDING_ALREADY_POSTED,
  /** The hold was ended by a VOID. */
  PENDING_ALREADY_VOIDED,
  /** The hold's deadline has passed, recorded by an EXPIRY or not yet. */
  PENDING_EXPIRED,
  /** More than earlier captures left of the hold. */
  EXCEEDS_REMAINING,
  /** The transfer to reverse does not exist. */
  ORIGINAL_NOT_FOUND,
  /** Only a DIRECT or POST can be reversed. */
  NOT_REVERSIBLE,
  /** More than earlier reversals left of the original, or nothing is left of it. */
  EXCEEDS_ORIGINAL,
  /** The account to debit is closed. */
  DEBIT_ACCOUNT_CLOSED,
  /** The account to credit is closed. */
  CREDIT_ACCOUNT_CLOSED,
  /** A counter of an account would exceed 2^127−1. */
  OVERFLOW,
  /** An account would be left with less to spend than its minimum. */
  INSUFFICIENT_FUNDS,
  /** An account would reach more than its maximum. */
  BALANCE_LIMIT,
  /** Another member of its group was refused; nothing of the group was recorded. */
  GROUP_FAILED;

  /** Whether the transfer is recorded: CREATED or EXISTS. */
  public boolean isRecorded() {
    return this == CREATED || this == EXISTS;
  }
}
