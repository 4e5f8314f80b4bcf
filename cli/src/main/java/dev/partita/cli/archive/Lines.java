package dev.partita.cli.archive;

import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import dev.partita.rules.Restorable.OpenedAccount;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes records as lines of an export. Fields have a fixed order and what is absent is left out,
 * so that equal ledgers make equal files.
 */
final class Lines {

  /** Name of the format, in its first line. */
  static final String FORMAT = "partita-ledger";

  /** Version of the format, in its first line. */
  static final int VERSION = 1;

  private Lines() {}

  static ObjectNode header() {
    return object().put("format", FORMAT).put("version", VERSION);
  }

  static ObjectNode asset(Asset asset) {
    ObjectNode line = object();
    line.putObject("asset").put("code", asset.code().value()).put("scale", asset.scale());
    return line;
  }

  static ObjectNode account(OpenedAccount opened, Asset asset) {
    NewAccount account = opened.account();
    ObjectNode line = object();
    ObjectNode node = line.putObject("account").put("id", account.id().value());
    node.put("asset", account.asset().value());
    node.put("normal", account.normal().name());
    limits(node, account.limits(), asset);
    node.put("code", account.code());
    metadata(node, account.metadata());
    node.put("openedAt", opened.openedAt().toString());
    return line;
  }

  static ObjectNode change(AccountChange change, Asset asset) {
    ObjectNode line = object();
    ObjectNode node = line.putObject("change").put("account", change.account().value());
    node.put("asset", asset.code().value());
    node.put("number", change.number());
    node.set("before", terms(change.before(), asset));
    node.set("after", terms(change.after(), asset));
    node.put("afterVersion", change.afterVersion());
    node.put("recordedAt", change.recordedAt().toString());
    text(node, "actor", change.actor());
    return line;
  }

  static ObjectNode transfer(Transfer transfer, Asset asset) {
    ObjectNode line = object();
    ObjectNode node = line.putObject("transfer");
    node.set("request", request(transfer.request(), asset));
    GroupRef group = transfer.group();
    if (group != null) {
      node.putObject("group")
          .put("id", group.id().toString())
          .put("index", group.index())
          .put("size", group.size());
    }
    node.put("asset", asset.code().value());
    node.put("amount", transfer.amount().format(asset));
    node.put("released", transfer.released().format(asset));
    node.put("last", transfer.last());
    node.put("code", transfer.code());
    text(node, "reference", transfer.reference());
    node.put("recordedAt", transfer.recordedAt().toString());
    node.set("debitAfter", after(transfer.debitAfter(), asset));
    node.set("creditAfter", after(transfer.creditAfter(), asset));
    return line;
  }

  static ObjectNode end(ExportCounts counts, byte[] sha256) {
    ObjectNode line = object();
    line.putObject("end")
        .put("assets", counts.assets())
        .put("accounts", counts.accounts())
        .put("changes", counts.changes())
        .put("transfers", counts.transfers())
        .put("sha256", HexFormat.of().formatHex(sha256));
    return line;
  }

  private static ObjectNode request(TransferRequest request, Asset asset) {
    ObjectNode node = object().put("id", request.id().toString());
    node.put("kind", request.kind().name());
    UUID related = request.relatedId();
    text(node, "relatedId", related == null ? null : related.toString());
    text(node, "asset", request.asset() == null ? null : request.asset().value());
    text(node, "debit", request.debit() == null ? null : request.debit().value());
    text(node, "credit", request.credit() == null ? null : request.credit().value());
    Amount amount = request.amount();
    text(node, "amount", amount == null ? null : amount.format(asset));
    if (request.upTo() != UpTo.NONE) {
      node.put("upTo", request.upTo().name());
    }
    if (request.keepRemainder()) {
      node.put("keepRemainder", true);
    }
    if (request.timeoutSeconds() != null) {
      node.put("timeoutSeconds", request.timeoutSeconds());
    }
    text(
        node,
        "effectiveAt",
        request.effectiveAt() == null ? null : request.effectiveAt().toString());
    if (request.code() != null) {
      node.put("code", request.code());
    }
    text(node, "reference", request.reference());
    metadata(node, request.metadata());
    return node;
  }

  private static ObjectNode after(AccountBalance after, Asset asset) {
    Counters counters = after.counters();
    return object()
        .put("account", after.account().value())
        .put("normal", after.normal().name())
        .put("version", after.version())
        .put("debitsPosted", counters.debitsPosted().format(asset))
        .put("creditsPosted", counters.creditsPosted().format(asset))
        .put("debitsPending", counters.debitsPending().format(asset))
        .put("creditsPending", counters.creditsPending().format(asset));
  }

  private static ObjectNode terms(AccountTerms terms, Asset asset) {
    ObjectNode node = object();
    limits(node, terms.limits(), asset);
    metadata(node, terms.metadata());
    return node.put("closed", terms.closed());
  }

  private static void limits(ObjectNode node, Limits limits, Asset asset) {
    Balance min = limits.minBalance();
    Balance max = limits.maxBalance();
    text(node, "minBalance", min == null ? null : min.format(asset));
    text(node, "maxBalance", max == null ? null : max.format(asset));
  }

  private static void metadata(ObjectNode node, Metadata metadata) {
    if (!metadata.isEmpty()) {
      ObjectNode entries = node.putObject("metadata");
      metadata.asMap().forEach(entries::put);
    }
  }

  private static void text(ObjectNode node, String name, @Nullable String value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
