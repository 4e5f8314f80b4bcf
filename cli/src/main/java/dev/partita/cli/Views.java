package dev.partita.cli;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.Entry;
import dev.partita.GroupRef;
import dev.partita.Hold;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import dev.partita.cli.input.Assets;
import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** How the ledger's values look, as JSON and as text. Amounts are decimals in major units. */
final class Views {

  private final Assets assets;

  Views(Assets assets) {
    this.assets = assets;
  }

  static ObjectNode document(Asset asset) {
    return Output.object().put("code", asset.code().value()).put("scale", asset.scale());
  }

  ObjectNode document(Account account) {
    Asset asset = assets.stored(account.asset());
    ObjectNode node = Output.object().put("id", account.id().value());
    node.put("asset", asset.code().value());
    node.put("normal", account.normal().name());
    node.put("code", account.code());
    limits(node, account.limits(), asset);
    node.set("metadata", document(account.metadata()));
    counters(node, account.balance(), asset);
    node.put("available", account.available().format(asset));
    node.put("openedAt", account.openedAt().toString());
    node.put("closedAt", text(account.closedAt()));
    node.put("lastChange", account.lastChange());
    return node;
  }

  void print(Account account, Output output) {
    Asset asset = assets.stored(account.asset());
    AccountBalance at = account.balance();
    new Fields()
        .add("account", account.id())
        .add("asset", asset.code())
        .add("normal", lower(account.normal()))
        .add("balance", money(at.balance(), asset))
        .add("held", money(at.held(), asset))
        .add("expected", money(at.expected(), asset))
        .add("available", money(account.available(), asset))
        .add("min balance", limit(account.limits().minBalance(), asset))
        .add("max balance", limit(account.limits().maxBalance(), asset))
        .add("code", account.code())
        .add("metadata", text(account.metadata()))
        .add("version", at.version())
        .add("opened", account.openedAt())
        .add("closed", account.closedAt())
        .add("last change", account.lastChange() == 0 ? null : account.lastChange())
        .print(output.terminal());
  }

  Table<Account> accountTable() {
    return new Table<Account>()
        .left("account", a -> a.id().value())
        .left("asset", a -> a.asset().value())
        .left("normal", a -> lower(a.normal()))
        .right("balance", a -> a.balance().balance().format(assets.stored(a.asset())))
        .right("held", a -> a.balance().held().format(assets.stored(a.asset())))
        .right("available", a -> a.available().format(assets.stored(a.asset())))
        .right("code", a -> Integer.toString(a.code()))
        .left("state", a -> a.closed() ? "closed" : "open");
  }

  ObjectNode document(AccountBalance at) {
    Asset asset = assets.stored(at.asset());
    ObjectNode node = Output.object().put("account", at.account().value());
    node.put("asset", asset.code().value());
    node.put("normal", at.normal().name());
    counters(node, at, asset);
    return node;
  }

  ObjectNode document(AccountChange change, Asset asset) {
    ObjectNode node = Output.object().put("account", change.account().value());
    node.put("number", change.number());
    node.set("before", document(change.before(), asset));
    node.set("after", document(change.after(), asset));
    node.put("afterVersion", change.afterVersion());
    node.put("recordedAt", change.recordedAt().toString());
    node.put("actor", change.actor());
    return node;
  }

  Table<AccountChange> changeTable(Asset asset) {
    return new Table<AccountChange>()
        .right("#", c -> Long.toString(c.number()))
        .left("recorded", c -> c.recordedAt().toString())
        .left("actor", c -> orDash(c.actor()))
        .left("change", c -> difference(c, asset));
  }

  private static String difference(AccountChange change, Asset asset) {
    AccountTerms before = change.before();
    AccountTerms after = change.after();
    StringBuilder text = new StringBuilder();
    step(
        text,
        "min balance",
        limit(before.limits().minBalance(), asset),
        limit(after.limits().minBalance(), asset));
    step(
        text,
        "max balance",
        limit(before.limits().maxBalance(), asset),
        limit(after.limits().maxBalance(), asset));
    step(text, "metadata", text(before.metadata()), text(after.metadata()));
    step(text, "state", before.closed() ? "closed" : "open", after.closed() ? "closed" : "open");
    return text.toString();
  }

  private static void step(
      StringBuilder text, String name, @Nullable String before, @Nullable String after) {
    String from = before == null ? "none" : before;
    String to = after == null ? "none" : after;
    if (!from.equals(to)) {
      text.append(text.isEmpty() ? "" : "; ").append(name + ": " + from + " -> " + to);
    }
  }

  private static ObjectNode document(AccountTerms terms, Asset asset) {
    ObjectNode node = Output.object();
    limits(node, terms.limits(), asset);
    node.set("metadata", document(terms.metadata()));
    node.put("closed", terms.closed());
    return node;
  }

  ObjectNode document(Transfer transfer) {
    Asset asset = assets.stored(transfer.asset());
    TransferRequest request = transfer.request();
    ObjectNode node = Output.object().put("id", transfer.id().toString());
    node.put("kind", transfer.kind().name());
    node.put("asset", asset.code().value());
    node.put("debit", transfer.debit().value());
    node.put("credit", transfer.credit().value());
    node.put("amount", transfer.amount().format(asset));
    node.put("released", transfer.released().format(asset));
    node.put("last", transfer.last());
    node.put("relatedId", text(transfer.relatedId()));
    GroupRef group = transfer.group();
    if (group == null) {
      node.putNull("group");
    } else {
      node.putObject("group")
          .put("id", group.id().toString())
          .put("index", group.index())
          .put("size", group.size());
    }
    node.put("code", transfer.code());
    node.put("reference", transfer.reference());
    node.set("metadata", document(request.metadata()));
    node.put("effectiveAt", text(request.effectiveAt()));
    node.put("deadline", text(transfer.deadline()));
    node.put("recordedAt", transfer.recordedAt().toString());
    ObjectNode asked = node.putObject("request");
    Amount requested = request.amount();
    asked.put("amount", requested == null ? null : requested.format(asset));
    asked.put("upTo", request.upTo().name());
    asked.put("keepRemainder", request.keepRemainder());
    asked.put("timeoutSeconds", request.timeoutSeconds());
    node.set("debitAfter", document(transfer.debitAfter()));
    node.set("creditAfter", document(transfer.creditAfter()));
    return node;
  }

  void print(Transfer transfer, Output output) {
    Asset asset = assets.stored(transfer.asset());
    TransferRequest request = transfer.request();
    GroupRef group = transfer.group();
    Amount requested = request.amount();
    new Fields()
        .add("transfer", transfer.id())
        .add("kind", lower(transfer.kind()))
        .add("amount", money(transfer.amount(), asset))
        .add(
            "up to",
            request.upTo() == UpTo.NONE || requested == null
                ? null
                : money(requested, asset) + ", room of " + lower(request.upTo()))
        .add("released", transfer.released().isZero() ? null : money(transfer.released(), asset))
        .add("debit", afterwards(transfer.debitAfter(), asset))
        .add("credit", afterwards(transfer.creditAfter(), asset))
        .add("related", transfer.relatedId())
        .add(
            "group",
            group == null ? null : group.id() + ", " + (group.index() + 1) + " of " + group.size())
        .add("reference", transfer.reference())
        .add("code", transfer.code())
        .add("metadata", text(request.metadata()))
        .add("effective", request.effectiveAt())
        .add("deadline", transfer.deadline())
        .add("recorded", transfer.recordedAt())
        .print(output.terminal());
  }

  private static String afterwards(AccountBalance after, Asset asset) {
    String held = after.held().isZero() ? "" : ", held " + after.held().format(asset);
    return after.account() + "  (balance " + after.balance().format(asset) + held + ")";
  }

  Table<Transfer> transferTable() {
    return new Table<Transfer>()
        .left("recorded", t -> t.recordedAt().toString())
        .left("kind", t -> lower(t.kind()))
        .left("debit", t -> t.debit().value())
        .left("credit", t -> t.credit().value())
        .right("amount", t -> t.amount().format(assets.stored(t.asset())))
        .left("asset", t -> t.asset().value())
        .left("reference", t -> orDash(t.reference()))
        .left("id", t -> t.id().toString());
  }

  ObjectNode document(Entry entry) {
    Asset asset = assets.stored(entry.transfer().asset());
    Transfer transfer = entry.transfer();
    ObjectNode node = Output.object().put("version", entry.version());
    node.put("side", entry.side().name());
    node.put("counterparty", entry.counterparty().value());
    node.put("asset", asset.code().value());
    node.put("amount", transfer.amount().format(asset));
    node.put("balance", entry.after().balance().format(asset));
    node.put("held", entry.after().held().format(asset));
    node.set("transfer", document(transfer));
    return node;
  }

  Table<Entry> statementTable(Asset asset) {
    return new Table<Entry>()
        .right("#", e -> Long.toString(e.version()))
        .left("recorded", e -> e.transfer().recordedAt().toString())
        .left("kind", e -> lower(e.transfer().kind()))
        .left("counterparty", e -> e.counterparty().value())
        .right("debit", e -> side(e, Side.DEBIT, asset))
        .right("credit", e -> side(e, Side.CREDIT, asset))
        .right("balance", e -> e.after().balance().format(asset))
        .right("held", e -> e.after().held().format(asset))
        .left("effective", e -> orDash(text(e.transfer().request().effectiveAt())))
        .left("reference", e -> orDash(e.transfer().reference()))
        .left("transfer", e -> e.transfer().id().toString());
  }

  /** What does not change the balance stands in brackets. */
  private static String side(Entry entry, Side side, Asset asset) {
    if (entry.side() != side) {
      return "";
    }
    String amount = entry.transfer().amount().format(asset);
    return entry.transfer().movesPosted() ? amount : "(" + amount + ")";
  }

  ObjectNode document(Hold hold) {
    Asset asset = assets.stored(hold.transfer().asset());
    ObjectNode node = Output.object().put("id", hold.id().toString());
    node.put("asset", asset.code().value());
    node.put("debit", hold.transfer().debit().value());
    node.put("credit", hold.transfer().credit().value());
    node.put("amount", hold.transfer().amount().format(asset));
    node.put("remaining", hold.remaining().format(asset));
    node.put("deadline", text(hold.deadline()));
    node.put("reference", hold.transfer().reference());
    node.put("recordedAt", hold.transfer().recordedAt().toString());
    return node;
  }

  Table<Hold> holdTable() {
    return new Table<Hold>()
        .left("recorded", h -> h.transfer().recordedAt().toString())
        .left("deadline", h -> orDash(text(h.deadline())))
        .left("debit", h -> h.transfer().debit().value())
        .left("credit", h -> h.transfer().credit().value())
        .right("remaining", h -> h.remaining().format(assets.stored(h.transfer().asset())))
        .right("of", h -> h.transfer().amount().format(assets.stored(h.transfer().asset())))
        .left("asset", h -> h.transfer().asset().value())
        .left("reference", h -> orDash(h.transfer().reference()))
        .left("id", h -> h.id().toString());
  }

  static ObjectNode document(Metadata metadata) {
    ObjectNode node = Output.object();
    metadata.asMap().forEach(node::put);
    return node;
  }

  static String money(Amount amount, Asset asset) {
    return amount.format(asset) + " " + asset.code();
  }

  static String money(Balance balance, Asset asset) {
    return balance.format(asset) + " " + asset.code();
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static @Nullable String text(Metadata metadata) {
    return metadata.isEmpty()
        ? null
        : metadata.asMap().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(", "));
  }

  private static String orDash(@Nullable String text) {
    return text == null ? "-" : text;
  }

  private static @Nullable String limit(@Nullable Balance limit, Asset asset) {
    return limit == null ? null : limit.format(asset);
  }

  private static void limits(ObjectNode node, Limits limits, Asset asset) {
    node.put("minBalance", limit(limits.minBalance(), asset));
    node.put("maxBalance", limit(limits.maxBalance(), asset));
  }

  private static void counters(ObjectNode node, AccountBalance at, Asset asset) {
    node.put("version", at.version());
    node.put("balance", at.balance().format(asset));
    node.put("held", at.held().format(asset));
    node.put("expected", at.expected().format(asset));
    node.put("debitsPosted", at.counters().debitsPosted().format(asset));
    node.put("creditsPosted", at.counters().creditsPosted().format(asset));
    node.put("debitsPending", at.counters().debitsPending().format(asset));
    node.put("creditsPending", at.counters().creditsPending().format(asset));
  }
}
