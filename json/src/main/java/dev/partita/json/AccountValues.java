package dev.partita.json;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.EffectiveReading;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.RegisterResult;
import dev.partita.Side;
import dev.partita.TransferRequest;
import org.jspecify.annotations.Nullable;

/** Assets and accounts from their JSON objects. */
final class AccountValues {

  private final Amounts amounts;
  private final TransferValues transfers;

  AccountValues(Amounts amounts, TransferValues transfers) {
    this.amounts = amounts;
    this.transfers = transfers;
  }

  static Asset asset(StrictObject object) {
    return object.make(
        () -> {
          String code = object.value("code", AssetCode::new).value();
          return object.has("scale")
              ? Asset.of(code, object.wholeInt("scale", 0, Asset.SCALE_MAX))
              : Asset.iso(code);
        });
  }

  static RegisterResult registerResult(StrictObject object) {
    return object.make(
        () ->
            new RegisterResult(
                asset(object.object("asset")),
                object.choice("status", RegisterResult.Status.class)));
  }

  NewAccount newAccount(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          Side normal = object.choiceOrNull("normal", Side.class);
          Integer code = object.wholeIntOrNull("code", 0, TransferRequest.CODE_MAX);
          return new NewAccount(
              object.value("id", AccountId::new),
              asset,
              normal == null ? Side.CREDIT : normal,
              limits(object, asset),
              code == null ? 0 : code,
              TransferValues.metadata(object));
        });
  }

  static OpenResult openResult(StrictObject object) {
    return object.make(
        () ->
            new OpenResult(
                object.value("id", AccountId::new),
                object.choice("status", OpenResult.Status.class),
                object.textOrNull("field")));
  }

  Account account(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          AccountId id = object.value("id", AccountId::new);
          AccountBalance balance =
              transfers.standing(object, id, asset, object.choice("normal", Side.class));
          Account account =
              new Account(
                  id,
                  limits(object, asset),
                  object.wholeInt("code", 0, TransferRequest.CODE_MAX),
                  TransferValues.metadata(object),
                  balance,
                  TransferValues.time(object, "openedAt"),
                  TransferValues.timeOrNull(object, "closedAt"),
                  object.whole("lastChange", 0, Long.MAX_VALUE));
          object.follows("available", amounts.format(account.available(), asset));
          return account;
        });
  }

  BalanceReading reading(StrictObject object) {
    return object.make(
        () -> {
          AccountBalance balance = transfers.balanceIn(object);
          object.follows("spendable", amounts.format(balance.spendable(), balance.asset()));
          return new BalanceReading(balance, TransferValues.time(object, "settledUntil"));
        });
  }

  EffectiveReading effective(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          EffectiveReading reading =
              new EffectiveReading(
                  object.value("account", AccountId::new),
                  asset,
                  object.choice("normal", Side.class),
                  transfers.amount(object, "debits", asset),
                  transfers.amount(object, "credits", asset),
                  TransferValues.time(object, "settledUntil"));
          object.follows("balance", amounts.format(reading.balance(), asset));
          return reading;
        });
  }

  /** A change of an account that the document does not name. */
  ChangeRequest change(StrictObject object, AccountId account, @Nullable AssetCode asset) {
    return object.make(
        () -> {
          ChangeRequest change = ChangeRequest.of(account);
          if (object.has("minBalance")) {
            change = change.minBalance(limitOrNull(object, "minBalance", asset));
          }
          if (object.has("maxBalance")) {
            change = change.maxBalance(limitOrNull(object, "maxBalance", asset));
          }
          if (object.has("metadata")) {
            change = change.metadata(TransferValues.metadata(object));
          }
          if (object.has("closed")) {
            change = object.flag("closed") ? change.close() : change.reopen();
          }
          if (object.has("ifChange")) {
            change = change.ifChange(object.whole("ifChange", 0, Long.MAX_VALUE));
          }
          String actor = object.textOrNull("actor");
          return actor == null ? change : change.actor(actor);
        });
  }

  ChangeResult changeResult(StrictObject object) {
    return object.make(
        () ->
            new ChangeResult(
                object.choice("status", ChangeResult.Status.class),
                account(object.object("account"))));
  }

  AccountChange recordedChange(StrictObject object) {
    return object.make(
        () -> {
          AssetCode asset = object.value("asset", AssetCode::new);
          return new AccountChange(
              object.value("account", AccountId::new),
              object.whole("number", 1, Long.MAX_VALUE),
              terms(object.object("before"), asset),
              terms(object.object("after"), asset),
              object.whole("afterVersion", 0, Long.MAX_VALUE),
              TransferValues.time(object, "recordedAt"),
              object.textOrNull("actor"));
        });
  }

  private AccountTerms terms(StrictObject object, AssetCode asset) {
    return object.make(
        () ->
            new AccountTerms(
                limits(object, asset), TransferValues.metadata(object), object.flag("closed")));
  }

  private Limits limits(StrictObject object, AssetCode asset) {
    return new Limits(
        object.valueOrNull("minBalance", text -> amounts.parseBalance(text, asset)),
        object.valueOrNull("maxBalance", text -> amounts.parseBalance(text, asset)));
  }

  private @Nullable Balance limitOrNull(
      StrictObject object, String field, @Nullable AssetCode asset) {
    return object.isNull(field)
        ? null
        : object.value(field, text -> amounts.parseBalance(text, asset));
  }
}
