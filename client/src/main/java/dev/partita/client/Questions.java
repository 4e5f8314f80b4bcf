package dev.partita.client;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.json.JsonReader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The calls that only ask. */
final class Questions {

  private final JsonReader reader;

  Questions(JsonReader reader) {
    this.reader = reader;
  }

  static Target addressOf(AccountId id) {
    return Target.of("/v1/accounts").segment(id.value());
  }

  Call<List<Asset>> assets() {
    return Call.get(Target.of("/v1/assets"), reader::readAssets);
  }

  Call<Account> account(AccountId id) {
    return Call.get(addressOf(id).minorAmounts(), reader::readAccount).about(id);
  }

  Call<Page<Account>> accounts(AccountQuery query) {
    return Call.get(
        Target.of("/v1/accounts")
            .parameter("prefix", query.prefix())
            .parameter("asset", query.asset())
            .parameter("code", query.code())
            .parameter("cursor", query.cursor())
            .parameter("limit", query.limit())
            .minorAmounts(),
        reader::readAccounts);
  }

  Call<Page<AccountChange>> changes(AccountId account, @Nullable String cursor, int limit) {
    return Call.get(
            addressOf(account)
                .segment("changes")
                .parameter("cursor", cursor)
                .parameter("limit", Page.requireLimit(limit))
                .minorAmounts(),
            reader::readChanges)
        .about(account);
  }

  Call<BalanceReading> balance(AccountId account, @Nullable Instant recordedAt) {
    return Call.get(
            balanceOf(account).parameter("recordedAt", recordedAt).minorAmounts(),
            reader::readBalance)
        .about(account);
  }

  Call<EffectiveReading> effective(
      AccountId account, Instant effectiveAt, @Nullable Instant knownAt) {
    return Call.get(
            balanceOf(account)
                .parameter("effectiveAt", Objects.requireNonNull(effectiveAt, "effectiveAt"))
                .parameter("knownAt", knownAt)
                .minorAmounts(),
            reader::readEffective)
        .about(account);
  }

  Call<Page<Entry>> statement(StatementQuery query) {
    return Call.get(
            addressOf(query.account())
                .segment("statement")
                .parameter("order", query.newestFirst() ? "newest" : "oldest")
                .parameter("cursor", query.cursor())
                .parameter("limit", query.limit())
                .minorAmounts(),
            reader::readStatement)
        .about(query.account());
  }

  Call<Page<Transfer>> transfers(TransferQuery query) {
    return Call.get(
            Target.of("/v1/transfers")
                .parameter("reference", query.reference())
                .parameter("group", query.groupId())
                .parameter("related", query.relatedId())
                .parameter("account", query.account())
                .parameter("code", query.code())
                .parameter("from", query.from())
                .parameter("to", query.to())
                .parameter("cursor", query.cursor())
                .parameter("limit", query.limit())
                .minorAmounts(),
            reader::readTransfers)
        .about(query.account());
  }

  Call<Page<Hold>> holds(HoldQuery query) {
    return Call.get(
            Target.of("/v1/holds")
                .parameter("account", query.account())
                .parameter("asset", query.asset())
                .parameter("dueBy", query.dueBy())
                .parameter("cursor", query.cursor())
                .parameter("limit", query.limit())
                .minorAmounts(),
            reader::readHolds)
        .about(query.account());
  }

  Call<Page<Transfer>> journal(@Nullable String cursor, int limit) {
    return Call.get(
        Target.of("/v1/journal")
            .parameter("cursor", cursor)
            .parameter("limit", Page.requireLimit(limit))
            .minorAmounts(),
        reader::readTransfers);
  }

  Call<Page<LedgerEvent>> feed(@Nullable String cursor, int limit) {
    return Call.get(
        Target.of("/v1/changes")
            .parameter("cursor", cursor)
            .parameter("limit", Page.requireLimit(limit))
            .minorAmounts(),
        reader::readEvents);
  }

  Call<TrialBalance> trialBalance() {
    return Call.get(Target.of("/v1/trial-balance").minorAmounts(), reader::readTrialBalance);
  }

  private static Target balanceOf(AccountId id) {
    return addressOf(id).segment("balance");
  }
}
