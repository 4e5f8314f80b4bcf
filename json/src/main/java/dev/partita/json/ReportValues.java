package dev.partita.json;

import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.VerifyReport;
import java.math.BigInteger;
import java.time.Instant;

/** What is read about a ledger as a whole or line by line, from its JSON objects. */
final class ReportValues {

  private final Amounts amounts;
  private final TransferValues transfers;

  ReportValues(Amounts amounts, TransferValues transfers) {
    this.amounts = amounts;
    this.transfers = transfers;
  }

  Entry entry(StrictObject object) {
    return object.make(
        () -> {
          Entry entry =
              new Entry(
                  transfers.transfer(object.object("transfer")), object.choice("side", Side.class));
          AssetCode asset = entry.transfer().asset();
          if (object.whole("version", 1, Long.MAX_VALUE) != entry.version()) {
            throw object.invalid("version", "is not the account's version in the transfer");
          }
          object.follows("counterparty", entry.counterparty().value());
          object.follows("asset", asset.value());
          object.follows("amount", amounts.format(entry.transfer().amount(), asset));
          object.follows("balance", amounts.format(entry.after().balance(), asset));
          object.follows("held", amounts.format(entry.after().held(), asset));
          return entry;
        });
  }

  Hold hold(StrictObject object) {
    return object.make(
        () -> {
          Transfer transfer = transfers.transfer(object.object("transfer"));
          Amount remaining = transfers.amount(object, "remaining", transfer.asset());
          object.follows("id", transfer.id().toString());
          object.follows("asset", transfer.asset().value());
          Instant deadline = transfer.deadline();
          if (deadline != null) {
            object.follows("deadline", Times.format(deadline));
          }
          return new Hold(transfer, remaining);
        });
  }

  TrialBalance trialBalance(StrictObject object) {
    return object.make(
        () -> {
          TrialBalance balance =
              new TrialBalance(
                  object.objects("lines", this::line), TransferValues.time(object, "takenAt"));
          object.follows("balanced", balance.balanced());
          return balance;
        });
  }

  private TrialBalance.Line line(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          return new TrialBalance.Line(
              asset,
              object.wholeInt("code", 0, TransferRequest.CODE_MAX),
              object.choice("normal", Side.class),
              object.whole("accounts", 0, Long.MAX_VALUE),
              total(object, "debitsPosted", asset),
              total(object, "creditsPosted", asset),
              total(object, "debitsPending", asset),
              total(object, "creditsPending", asset));
        });
  }

  private BigInteger total(StrictObject object, String field, AssetCode asset) {
    return object.value(field, text -> amounts.parseTotal(text, asset));
  }

  static VerifyReport report(StrictObject object) {
    return object.make(
        () -> {
          VerifyReport report =
              new VerifyReport(
                  object.text("position"),
                  object.whole("accounts", 0, Long.MAX_VALUE),
                  object.whole("transfers", 0, Long.MAX_VALUE),
                  object.objects("violations", ReportValues::violation));
          object.follows("clean", report.clean());
          return report;
        });
  }

  private static VerifyReport.Violation violation(StrictObject object) {
    return object.make(
        () ->
            new VerifyReport.Violation(
                object.wholeInt("invariant", 1, Integer.MAX_VALUE),
                object.text("subject"),
                object.text("detail")));
  }

  static Verification verification(StrictObject object, AccountValues accounts) {
    return object.make(
        () ->
            new Verification(
                object.text("id"),
                object.choice("state", Verification.State.class),
                object.whole("done", 0, Long.MAX_VALUE),
                object.whole("total", 0, Long.MAX_VALUE),
                object.has("report") ? report(object.object("report")) : null,
                object.has("problem") ? problem(object.object("problem"), accounts) : null));
  }

  static Problem problem(StrictObject object, AccountValues accounts) {
    return new Problem(
        object.wholeInt("status", 100, 599),
        object.text("code"),
        object.text("detail"),
        object.textOrNull("pointer"),
        object.textOrNull("parameter"),
        object.textOrNull("requestId"),
        object.choiceOrNull("reason", UnavailableException.Reason.class),
        object.choiceOrNull("outcome", UnavailableException.Outcome.class),
        object.isObject("account") ? accounts.account(object.object("account")) : null);
  }
}
