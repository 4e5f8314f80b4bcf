package dev.partita.json;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TrialBalance;
import dev.partita.UpTo;
import dev.partita.VerifyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Fields that several documents share, and the transfer, which most of them hold. */
final class Parts {

  private final Amounts amounts;

  Parts(Amounts amounts) {
    this.amounts = amounts;
  }

  void transfer(JsonGenerator out, Transfer transfer) {
    TransferRequest request = transfer.request();
    AssetCode asset = transfer.asset();
    out.writeStartObject();
    out.writeStringProperty("id", transfer.id().toString());
    out.writeStringProperty("kind", transfer.kind().name());
    text(out, "relatedId", request.relatedId());
    out.writeStringProperty("asset", asset.value());
    out.writeStringProperty("debit", transfer.debit().value());
    out.writeStringProperty("credit", transfer.credit().value());
    out.writeStringProperty("amount", amounts.format(transfer.amount(), asset));
    out.writeStringProperty("released", amounts.format(transfer.released(), asset));
    out.writeBooleanProperty("last", transfer.last());
    GroupRef group = transfer.group();
    if (group != null) {
      out.writeObjectPropertyStart("group");
      out.writeStringProperty("id", group.id().toString());
      out.writeNumberProperty("index", group.index());
      out.writeNumberProperty("size", group.size());
      out.writeEndObject();
    }
    out.writeNumberProperty("code", transfer.code());
    text(out, "reference", transfer.reference());
    metadata(out, request.metadata());
    time(out, "effectiveAt", request.effectiveAt());
    time(out, "deadline", transfer.deadline());
    time(out, "recordedAt", transfer.recordedAt());
    out.writeObjectPropertyStart("request");
    completed(out, request, asset);
    out.writeEndObject();
    after(out, "debitAfter", transfer.debitAfter());
    after(out, "creditAfter", transfer.creditAfter());
    out.writeEndObject();
  }

  void request(JsonGenerator out, TransferRequest request) {
    out.writeStartObject();
    out.writeStringProperty("id", request.id().toString());
    out.writeStringProperty("kind", request.kind().name());
    text(out, "relatedId", request.relatedId());
    completed(out, request, request.asset());
    time(out, "effectiveAt", request.effectiveAt());
    metadata(out, request.metadata());
    out.writeEndObject();
  }

  /** Of a request, the fields that the ledger fills in or judges by, as given. */
  private void completed(
      JsonGenerator out, TransferRequest request, @Nullable AssetCode assetOfAmount) {
    text(out, "asset", request.asset());
    text(out, "debit", request.debit());
    text(out, "credit", request.credit());
    Amount amount = request.amount();
    text(out, "amount", amount == null ? null : amounts.format(amount, assetOfAmount));
    if (request.upTo() != UpTo.NONE) {
      out.writeStringProperty("upTo", request.upTo().name());
    }
    if (request.keepRemainder()) {
      out.writeBooleanProperty("keepRemainder", true);
    }
    number(out, "timeoutSeconds", request.timeoutSeconds());
    number(out, "code", request.code());
    text(out, "reference", request.reference());
  }

  private void after(JsonGenerator out, String name, AccountBalance after) {
    out.writeObjectPropertyStart(name);
    balance(out, after);
    out.writeEndObject();
  }

  void balance(JsonGenerator out, AccountBalance balance) {
    out.writeStringProperty("account", balance.account().value());
    out.writeStringProperty("asset", balance.asset().value());
    out.writeStringProperty("normal", balance.normal().name());
    standing(out, balance);
  }

  void standing(JsonGenerator out, AccountBalance at) {
    AssetCode asset = at.asset();
    Counters counters = at.counters();
    out.writeNumberProperty("version", at.version());
    out.writeStringProperty("balance", amounts.format(at.balance(), asset));
    out.writeStringProperty("held", amounts.format(at.held(), asset));
    out.writeStringProperty("expected", amounts.format(at.expected(), asset));
    out.writeStringProperty("debitsPosted", amounts.format(counters.debitsPosted(), asset));
    out.writeStringProperty("creditsPosted", amounts.format(counters.creditsPosted(), asset));
    out.writeStringProperty("debitsPending", amounts.format(counters.debitsPending(), asset));
    out.writeStringProperty("creditsPending", amounts.format(counters.creditsPending(), asset));
  }

  void limits(JsonGenerator out, Limits limits, AssetCode asset) {
    if (limits.minBalance() != null) {
      limit(out, "minBalance", limits.minBalance(), asset);
    }
    if (limits.maxBalance() != null) {
      limit(out, "maxBalance", limits.maxBalance(), asset);
    }
  }

  void limit(JsonGenerator out, String name, @Nullable Balance limit, @Nullable AssetCode asset) {
    if (limit == null) {
      out.writeNullProperty(name);
    } else {
      out.writeStringProperty(name, amounts.format(limit, asset));
    }
  }

  void trialBalance(JsonGenerator out, TrialBalance balance) {
    out.writeStartObject();
    time(out, "takenAt", balance.takenAt());
    out.writeBooleanProperty("balanced", balance.balanced());
    out.writeArrayPropertyStart("lines");
    for (TrialBalance.Line line : balance.lines()) {
      AssetCode asset = line.asset();
      out.writeStartObject();
      out.writeStringProperty("asset", asset.value());
      out.writeNumberProperty("code", line.code());
      out.writeStringProperty("normal", line.normal().name());
      out.writeNumberProperty("accounts", line.accounts());
      out.writeStringProperty("debitsPosted", amounts.format(line.debitsPosted(), asset));
      out.writeStringProperty("creditsPosted", amounts.format(line.creditsPosted(), asset));
      out.writeStringProperty("debitsPending", amounts.format(line.debitsPending(), asset));
      out.writeStringProperty("creditsPending", amounts.format(line.creditsPending(), asset));
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  static void report(JsonGenerator out, VerifyReport report) {
    out.writeStartObject();
    out.writeBooleanProperty("clean", report.clean());
    out.writeStringProperty("position", report.position());
    out.writeNumberProperty("accounts", report.accounts());
    out.writeNumberProperty("transfers", report.transfers());
    out.writeArrayPropertyStart("violations");
    for (VerifyReport.Violation violation : report.violations()) {
      out.writeStartObject();
      out.writeNumberProperty("invariant", violation.invariant());
      out.writeStringProperty("subject", violation.subject());
      out.writeStringProperty("detail", violation.detail());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  static void metadata(JsonGenerator out, Metadata metadata) {
    if (!metadata.isEmpty()) {
      entries(out, metadata);
    }
  }

  static void entries(JsonGenerator out, Metadata metadata) {
    out.writeObjectPropertyStart("metadata");
    metadata.asMap().forEach(out::writeStringProperty);
    out.writeEndObject();
  }

  static void time(JsonGenerator out, String name, @Nullable Instant time) {
    if (time != null) {
      out.writeStringProperty(name, Times.format(time));
    }
  }

  static void text(JsonGenerator out, String name, @Nullable Object value) {
    if (value != null) {
      out.writeStringProperty(name, value.toString());
    }
  }

  private static void number(JsonGenerator out, String name, @Nullable Integer value) {
    if (value != null) {
      out.writeNumberProperty(name, value);
    }
  }
}
