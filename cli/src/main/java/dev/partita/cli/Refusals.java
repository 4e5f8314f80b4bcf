package dev.partita.cli;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.LedgerException;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sentences that a person can act on, one for each way a transfer is refused. */
final class Refusals {

  private Refusals() {}

  static String sentence(TransferResult result, LedgerCommand.Desk desk) {
    String account = Objects.toString(result.account(), "the account");
    return switch (result.status()) {
      case CREATED -> "Recorded.";
      case EXISTS -> "Recorded before; nothing was written.";
      case EXISTS_DIFFERENT ->
          "The id "
              + result.id()
              + " is taken by a record that differs in "
              + (result.field() == null ? "content" : result.field().text())
              + ". Show it (partita transfer show "
              + result.id()
              + "), and post this under another id if it is meant besides.";
      case ACCOUNTS_MUST_DIFFER -> "Debit and credit are both " + account + ". Name two accounts.";
      case UNKNOWN_ASSET ->
          "The ledger does not have this asset. Register it (partita asset register CODE), or"
              + " correct --asset.";
      case DEBIT_ACCOUNT_NOT_FOUND, CREDIT_ACCOUNT_NOT_FOUND ->
          "There is no account "
              + account
              + ". Open it first (partita account open), or correct it.";
      case ASSET_MISMATCH ->
          "The asset is not that of "
              + account
              + ". Both accounts and the amount are of one asset.";
      case PENDING_NOT_FOUND -> "There is no such hold. List the open ones: partita holds.";
      case NOT_PENDING -> "That record is not a hold, or the group has no holds.";
      case PENDING_DIFFERENT -> "The hold has other accounts or another asset than named here.";
      case EXCEEDS_PENDING ->
          "This is more than was held. Lower --amount, or leave it out for all.";
      case PENDING_ALREADY_POSTED -> "The hold was captured before; nothing of it is left.";
      case PENDING_ALREADY_VOIDED -> "The hold was voided before; nothing of it is left.";
      case PENDING_EXPIRED -> "The hold has expired. Place a new one.";
      case EXCEEDS_REMAINING ->
          "Earlier captures left less than this of the hold. Lower --amount, or leave it out for all.";
      case ORIGINAL_NOT_FOUND -> "There is no such transfer to reverse.";
      case NOT_REVERSIBLE ->
          "Only a transfer or a capture can be reversed. A hold is voided, a reversal is posted anew.";
      case EXCEEDS_ORIGINAL ->
          "Earlier reversals left less than this of the transfer, or nothing. Lower --amount, or"
              + " leave it out for all that is left.";
      case DEBIT_ACCOUNT_CLOSED, CREDIT_ACCOUNT_CLOSED ->
          account
              + " is closed. Reopen it (partita account reopen "
              + account
              + "), or use another.";
      case OVERFLOW -> "A total of " + account + " would exceed 2^127-1 minor units.";
      case INSUFFICIENT_FUNDS -> insufficientFunds(result.account(), account, desk);
      case BALANCE_LIMIT -> balanceLimit(result.account(), account, desk);
      case GROUP_FAILED ->
          "Another member of the group was refused, so nothing of it was recorded.";
    };
  }

  /** Whether the sentence says all there is to say, or the status of a refusal goes before it. */
  static String line(TransferResult result, LedgerCommand.Desk desk) {
    TransferStatus status = result.status();
    return (status.isRecorded() ? "" : "Refused, " + status + ": ") + sentence(result, desk);
  }

  private static String insufficientFunds(
      @Nullable AccountId id, String account, LedgerCommand.Desk desk) {
    Account found = find(id, desk);
    if (found == null) {
      return account + " has too little to spend.";
    }
    Asset asset = desk.assets().stored(found.asset());
    Balance min = found.limits().minBalance();
    return account
        + " has "
        + Views.money(found.available(), asset)
        + " to spend (balance "
        + found.balance().balance().format(asset)
        + ", held "
        + found.balance().held().format(asset)
        + ", minimum "
        + (min == null ? "none" : min.format(asset))
        + "). Fund it, lower the amount, or lower its --min-balance.";
  }

  private static String balanceLimit(
      @Nullable AccountId id, String account, LedgerCommand.Desk desk) {
    Account found = find(id, desk);
    if (found == null) {
      return account + " would reach more than its maximum.";
    }
    Asset asset = desk.assets().stored(found.asset());
    Balance max = found.limits().maxBalance();
    return account
        + " would reach more than its maximum of "
        + (max == null ? "none" : Views.money(max, asset))
        + " (balance "
        + found.balance().balance().format(asset)
        + ", expected "
        + found.balance().expected().format(asset)
        + "). Lower the amount, or raise its --max-balance.";
  }

  /** Only for the sentence: a refusal stays a refusal if the look-up fails. */
  private static @Nullable Account find(@Nullable AccountId id, LedgerCommand.Desk desk) {
    if (id == null) {
      return null;
    }
    try {
      return desk.ledger().account(id).orElse(null);
    } catch (LedgerException e) {
      return null;
    }
  }
}
