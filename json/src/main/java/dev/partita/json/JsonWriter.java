package dev.partita.json;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Hold;
import dev.partita.LedgerEvent;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TrialBalance;
import dev.partita.VerifyReport;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the ledger's values as JSON, each as one object, onto a generator that the caller opens
 * and closes ({@link JsonDocuments}). What is absent is left out, never null, but for the limits
 * that a change removes. Immutable; safe for use by any number of threads.
 *
 * <p>With {@link Amounts#major} every method throws {@link dev.partita.MisuseException} on the
 * field {@code asset} for an amount of an unknown asset.
 */
public final class JsonWriter {

  private final Amounts amounts;
  private final Parts parts;

  /** A writer of amounts in this form. */
  public JsonWriter(Amounts amounts) {
    this.amounts = Objects.requireNonNull(amounts, "amounts");
    this.parts = new Parts(amounts);
  }

  /** An asset. */
  public void write(JsonGenerator out, Asset asset) {
    out.writeStartObject();
    out.writeStringProperty("code", asset.code().value());
    out.writeNumberProperty("scale", asset.scale());
    out.writeEndObject();
  }

  /** An account with where it stands. */
  public void write(JsonGenerator out, Account account) {
    out.writeStartObject();
    out.writeStringProperty("id", account.id().value());
    out.writeStringProperty("asset", account.asset().value());
    out.writeStringProperty("normal", account.normal().name());
    parts.limits(out, account.limits(), account.asset());
    out.writeNumberProperty("code", account.code());
    Parts.metadata(out, account.metadata());
    parts.standing(out, account.balance());
    out.writeStringProperty("available", amounts.format(account.available(), account.asset()));
    Parts.time(out, "openedAt", account.openedAt());
    Parts.time(out, "closedAt", account.closedAt());
    out.writeNumberProperty("lastChange", account.lastChange());
    out.writeEndObject();
  }

  /** Where an account stands. */
  public void write(JsonGenerator out, AccountBalance balance) {
    out.writeStartObject();
    parts.balance(out, balance);
    out.writeEndObject();
  }

  /** Where an account stands, and until when that is final. */
  public void write(JsonGenerator out, BalanceReading reading) {
    out.writeStartObject();
    parts.balance(out, reading.state());
    AssetCode asset = reading.state().asset();
    out.writeStringProperty("spendable", amounts.format(reading.state().spendable(), asset));
    Parts.time(out, "settledUntil", reading.settledUntil());
    out.writeEndObject();
  }

  /** What counts for an account at an effective instant. */
  public void write(JsonGenerator out, EffectiveReading reading) {
    AssetCode asset = reading.asset();
    out.writeStartObject();
    out.writeStringProperty("account", reading.account().value());
    out.writeStringProperty("asset", asset.value());
    out.writeStringProperty("normal", reading.normal().name());
    out.writeStringProperty("balance", amounts.format(reading.balance(), asset));
    out.writeStringProperty("debits", amounts.format(reading.debits(), asset));
    out.writeStringProperty("credits", amounts.format(reading.credits(), asset));
    Parts.time(out, "settledUntil", reading.settledUntil());
    out.writeEndObject();
  }

  /**
   * A recorded change.
   *
   * @param asset the account's, which a change does not know
   */
  public void write(JsonGenerator out, AccountChange change, AssetCode asset) {
    out.writeStartObject();
    out.writeStringProperty("account", change.account().value());
    out.writeStringProperty("asset", asset.value());
    out.writeNumberProperty("number", change.number());
    terms(out, "before", change.before(), asset);
    terms(out, "after", change.after(), asset);
    out.writeNumberProperty("afterVersion", change.afterVersion());
    Parts.time(out, "recordedAt", change.recordedAt());
    Parts.text(out, "actor", change.actor());
    out.writeEndObject();
  }

  private void terms(JsonGenerator out, String name, AccountTerms terms, AssetCode asset) {
    out.writeObjectPropertyStart(name);
    parts.limits(out, terms.limits(), asset);
    Parts.metadata(out, terms.metadata());
    out.writeBooleanProperty("closed", terms.closed());
    out.writeEndObject();
  }

  /** A recorded transfer. */
  public void write(JsonGenerator out, Transfer transfer) {
    parts.transfer(out, transfer);
  }

  /** An event of the change feed, with what was recorded. */
  public void write(JsonGenerator out, LedgerEvent event) {
    out.writeStartObject();
    out.writeStringProperty("id", event.id());
    out.writeStringProperty("kind", EventKind.of(event).name());
    Parts.time(out, "recordedAt", event.recordedAt());
    switch (event) {
      case LedgerEvent.AccountOpened opened -> {
        out.writeName("account");
        write(out, opened.account());
      }
      case LedgerEvent.AccountChanged changed -> {
        out.writeName("change");
        write(out, changed.change(), changed.asset());
      }
      case LedgerEvent.TransferRecorded recorded -> {
        out.writeName("transfer");
        write(out, recorded.transfer());
      }
    }
    out.writeStringProperty("cursor", event.cursor());
    out.writeEndObject();
  }

  /** A line of a statement, with the transfer it is one side of. */
  public void write(JsonGenerator out, Entry entry) {
    Transfer transfer = entry.transfer();
    AssetCode asset = transfer.asset();
    out.writeStartObject();
    out.writeNumberProperty("version", entry.version());
    out.writeStringProperty("side", entry.side().name());
    out.writeStringProperty("counterparty", entry.counterparty().value());
    out.writeStringProperty("asset", asset.value());
    out.writeStringProperty("amount", amounts.format(transfer.amount(), asset));
    out.writeStringProperty("balance", amounts.format(entry.after().balance(), asset));
    out.writeStringProperty("held", amounts.format(entry.after().held(), asset));
    out.writeName("transfer");
    write(out, transfer);
    out.writeEndObject();
  }

  /** An open hold, with the transfer that made it. */
  public void write(JsonGenerator out, Hold hold) {
    AssetCode asset = hold.transfer().asset();
    out.writeStartObject();
    out.writeStringProperty("id", hold.id().toString());
    out.writeStringProperty("asset", asset.value());
    out.writeStringProperty("remaining", amounts.format(hold.remaining(), asset));
    Parts.time(out, "deadline", hold.deadline());
    out.writeName("transfer");
    write(out, hold.transfer());
    out.writeEndObject();
  }

  /** The trial balance. */
  public void write(JsonGenerator out, TrialBalance balance) {
    parts.trialBalance(out, balance);
  }

  /** What a verification found. */
  public void write(JsonGenerator out, VerifyReport report) {
    Parts.report(out, report);
  }

  /** How far a verification is; its problem, which is not a value of the ledger, is left out. */
  public void write(JsonGenerator out, Verification verification) {
    out.writeStartObject();
    out.writeStringProperty("id", verification.id());
    out.writeStringProperty("state", verification.state().name());
    out.writeNumberProperty("done", verification.done());
    out.writeNumberProperty("total", verification.total());
    VerifyReport report = verification.report();
    if (report != null) {
      out.writeName("report");
      write(out, report);
    }
    out.writeEndObject();
  }

  /** What became of an asset to register. */
  public void write(JsonGenerator out, RegisterResult result) {
    out.writeStartObject();
    out.writeName("asset");
    write(out, result.asset());
    out.writeStringProperty("status", result.status().name());
    out.writeEndObject();
  }

  /** What became of an account to open. */
  public void write(JsonGenerator out, OpenResult result) {
    out.writeStartObject();
    out.writeStringProperty("id", result.id().value());
    out.writeStringProperty("status", result.status().name());
    Parts.text(out, "field", result.field());
    out.writeEndObject();
  }

  /** What became of a change. */
  public void write(JsonGenerator out, ChangeResult result) {
    out.writeStartObject();
    out.writeStringProperty("status", result.status().name());
    out.writeName("account");
    write(out, result.account());
    out.writeEndObject();
  }

  /** The answer to one transfer. */
  public void write(JsonGenerator out, TransferResult result) {
    out.writeStartObject();
    out.writeStringProperty("id", result.id().toString());
    out.writeStringProperty("status", result.status().name());
    Transfer transfer = result.transfer();
    if (transfer != null) {
      out.writeName("transfer");
      write(out, transfer);
    }
    Parts.text(out, "field", result.field() == null ? null : result.field().text());
    Parts.text(out, "account", result.account() == null ? null : result.account().value());
    out.writeEndObject();
  }

  /** The answers to a request: {@code {"results":[{"transfers":[…]}]}}, one for each item. */
  public void write(JsonGenerator out, PostResult result) {
    out.writeStartObject();
    out.writeArrayPropertyStart("results");
    for (PostResult.Item item : result.items()) {
      write(out, "transfers", new Page<>(item.transfers(), null), this::write);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  /** An account to open. */
  public void write(JsonGenerator out, NewAccount account) {
    out.writeStartObject();
    out.writeStringProperty("id", account.id().value());
    out.writeStringProperty("asset", account.asset().value());
    out.writeStringProperty("normal", account.normal().name());
    parts.limits(out, account.limits(), account.asset());
    out.writeNumberProperty("code", account.code());
    Parts.metadata(out, account.metadata());
    out.writeEndObject();
  }

  /** A transfer to post. */
  public void write(JsonGenerator out, TransferRequest request) {
    parts.request(out, request);
  }

  /** A group to post: {@code {"group":{"id","members"}}}. */
  public void write(JsonGenerator out, GroupRequest group) {
    out.writeStartObject();
    out.writeObjectPropertyStart("group");
    out.writeStringProperty("id", group.id().toString());
    out.writeArrayPropertyStart("members");
    for (TransferRequest member : group.members()) {
      write(out, member);
    }
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }

  /** The resolution of a group: {@code {"resolve":{"id","groupId","kind"}}}. */
  public void write(JsonGenerator out, GroupResolution resolution) {
    out.writeStartObject();
    out.writeObjectPropertyStart("resolve");
    out.writeStringProperty("id", resolution.id().toString());
    out.writeStringProperty("groupId", resolution.groupId().toString());
    out.writeStringProperty("kind", resolution.kind().name());
    out.writeEndObject();
    out.writeEndObject();
  }

  /** Items to post: {@code {"items":[…]}}. */
  public void write(JsonGenerator out, PostRequest request) {
    out.writeStartObject();
    out.writeArrayPropertyStart("items");
    for (PostItem item : request.items()) {
      switch (item) {
        case TransferRequest transfer -> write(out, transfer);
        case GroupRequest group -> write(out, group);
        case GroupResolution resolution -> write(out, resolution);
      }
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  /**
   * A change to make; a limit that it removes is null. The account is not in it: its id is part of
   * the address.
   *
   * @param asset the account's; null if not known, which {@link Amounts#MINOR} takes
   */
  public void write(JsonGenerator out, ChangeRequest change, @Nullable AssetCode asset) {
    ChangeFields fields = new ChangeFields(change);
    out.writeStartObject();
    if (fields.setsMinBalance()) {
      parts.limit(out, "minBalance", fields.minBalance(), asset);
    }
    if (fields.setsMaxBalance()) {
      parts.limit(out, "maxBalance", fields.maxBalance(), asset);
    }
    if (fields.setsMetadata()) {
      Parts.entries(out, fields.metadata());
    }
    if (fields.setsClosed()) {
      out.writeBooleanProperty("closed", fields.closed());
    }
    Long ifChange = change.ifChange();
    if (ifChange != null) {
      out.writeNumberProperty("ifChange", ifChange);
    }
    Parts.text(out, "actor", change.actor());
    out.writeEndObject();
  }

  /** Ids to look up: {@code {"ids":[…]}}. */
  public void writeIds(JsonGenerator out, Iterable<UUID> ids) {
    out.writeStartObject();
    out.writeArrayPropertyStart("ids");
    for (UUID id : ids) {
      out.writeString(id.toString());
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  /** A page under a name: {@code {"NAME":[…],"next":"…"}}. */
  public <T> void write(
      JsonGenerator out, String name, Page<T> page, BiConsumer<JsonGenerator, T> element) {
    out.writeStartObject();
    out.writeArrayPropertyStart(name);
    for (T item : page.items()) {
      element.accept(out, item);
    }
    out.writeEndArray();
    Parts.text(out, "next", page.next());
    out.writeEndObject();
  }
}
