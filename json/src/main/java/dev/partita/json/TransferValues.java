package dev.partita.json;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.Ids;
import dev.partita.Metadata;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferField;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UpTo;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Transfers, asked for and recorded, from their JSON objects. */
final class TransferValues {

  private final Amounts amounts;

  TransferValues(Amounts amounts) {
    this.amounts = amounts;
  }

  TransferRequest request(StrictObject object) {
    return object.make(
        () -> {
          UUID id = id(object, "id");
          TransferKind kind = object.choiceOrNull("kind", TransferKind.class);
          UUID relatedId = idOrNull(object, "relatedId");
          AssetCode asset = object.valueOrNull("asset", AssetCode::new);
          return request(
              object,
              new Given(
                  id,
                  kind == null ? TransferKind.DIRECT : kind,
                  relatedId,
                  timeOrNull(object, "effectiveAt"),
                  metadata(object)),
              asset);
        });
  }

  /** The fields of a request that a record has under the same names, as given. */
  private record Given(
      UUID id,
      TransferKind kind,
      @Nullable UUID relatedId,
      @Nullable Instant effectiveAt,
      Metadata metadata) {}

  private TransferRequest request(
      StrictObject object, Given given, @Nullable AssetCode assetOfAmount) {
    UpTo upTo = object.choiceOrNull("upTo", UpTo.class);
    return new TransferRequest(
        given.id(),
        given.kind(),
        given.relatedId(),
        object.valueOrNull("asset", AssetCode::new),
        object.valueOrNull("debit", AccountId::new),
        object.valueOrNull("credit", AccountId::new),
        amountOrNull(object, "amount", assetOfAmount),
        upTo == null ? UpTo.NONE : upTo,
        object.has("keepRemainder") && object.flag("keepRemainder"),
        object.wholeIntOrNull("timeoutSeconds", 1, Integer.MAX_VALUE),
        given.effectiveAt(),
        object.wholeIntOrNull("code", 0, TransferRequest.CODE_MAX),
        object.textOrNull("reference"),
        given.metadata());
  }

  Transfer transfer(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          Given given =
              new Given(
                  id(object, "id"),
                  object.choice("kind", TransferKind.class),
                  idOrNull(object, "relatedId"),
                  timeOrNull(object, "effectiveAt"),
                  metadata(object));
          StrictObject request = object.object("request");
          Transfer transfer =
              new Transfer(
                  request.make(() -> request(request, given, asset)),
                  amount(object, "amount", asset),
                  amount(object, "released", asset),
                  object.flag("last"),
                  group(object.objectOrNull("group")),
                  object.wholeInt("code", 0, TransferRequest.CODE_MAX),
                  object.textOrNull("reference"),
                  time(object, "recordedAt"),
                  balance(object.object("debitAfter")),
                  balance(object.object("creditAfter")));
          object.follows("asset", transfer.asset().value());
          object.follows("debit", transfer.debit().value());
          object.follows("credit", transfer.credit().value());
          Instant deadline = transfer.deadline();
          if (deadline != null) {
            object.follows("deadline", Times.format(deadline));
          }
          return transfer;
        });
  }

  TransferResult result(StrictObject object) {
    return object.make(
        () ->
            new TransferResult(
                id(object, "id"),
                object.choice("status", TransferStatus.class),
                object.has("transfer") ? transfer(object.object("transfer")) : null,
                object.valueOrNull("field", text -> field(object, text)),
                object.valueOrNull("account", AccountId::new)));
  }

  AccountBalance balance(StrictObject object) {
    return object.make(() -> balanceIn(object));
  }

  /** An account's standing as fields of a larger object. */
  AccountBalance balanceIn(StrictObject object) {
    return standing(
        object,
        object.value("account", AccountId::new),
        object.value("asset", AssetCode::new),
        object.choice("normal", Side.class));
  }

  AccountBalance standing(StrictObject object, AccountId account, AssetCode asset, Side normal) {
    AccountBalance balance =
        new AccountBalance(
            account,
            asset,
            normal,
            object.whole("version", 0, Long.MAX_VALUE),
            new Counters(
                amount(object, "debitsPosted", asset),
                amount(object, "creditsPosted", asset),
                amount(object, "debitsPending", asset),
                amount(object, "creditsPending", asset)));
    object.follows("balance", amounts.format(balance.balance(), asset));
    object.follows("held", amounts.format(balance.held(), asset));
    object.follows("expected", amounts.format(balance.expected(), asset));
    return balance;
  }

  Amount amount(StrictObject object, String field, @Nullable AssetCode asset) {
    Amount amount = amountOrNull(object, field, asset);
    if (amount == null) {
      throw object.missing(field);
    }
    return amount;
  }

  private @Nullable Amount amountOrNull(
      StrictObject object, String field, @Nullable AssetCode asset) {
    if (asset == null && amounts.needAsset() && object.has(field)) {
      throw object.missing("asset");
    }
    return object.valueOrNull(field, text -> amounts.parseAmount(text, asset));
  }

  private static @Nullable GroupRef group(@Nullable StrictObject object) {
    return object == null
        ? null
        : object.make(
            () ->
                new GroupRef(
                    id(object, "id"),
                    object.wholeInt("index", 0, GroupRequest.MEMBERS_MAX),
                    object.wholeInt("size", 1, GroupRequest.MEMBERS_MAX)));
  }

  private static TransferField field(StrictObject object, String text) {
    for (TransferField field : TransferField.values()) {
      if (field.text().equals(text)) {
        return field;
      }
    }
    throw object.invalid("field", "is not a field of a transfer");
  }

  static UUID id(StrictObject object, String field) {
    return object.value(field, text -> Ids.parse(field, text));
  }

  private static @Nullable UUID idOrNull(StrictObject object, String field) {
    return object.valueOrNull(field, text -> Ids.parse(field, text));
  }

  static Instant time(StrictObject object, String field) {
    return object.value(field, text -> Times.parse(field, text));
  }

  static @Nullable Instant timeOrNull(StrictObject object, String field) {
    return object.valueOrNull(field, text -> Times.parse(field, text));
  }

  static Metadata metadata(StrictObject object) {
    return Metadata.of(object.texts("metadata"));
  }
}
