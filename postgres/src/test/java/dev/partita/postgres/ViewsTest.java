package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TrialBalance;
import dev.partita.memory.InMemoryLedger;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What SQL users see is what the ledger says, whatever their search path. */
class ViewsTest {

  private static final Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
  private static final Map<AssetCode, Asset> assets = new HashMap<>();
  private static InMemoryLedger memory;
  private static String schema;

  @BeforeAll
  static void copyAHistory() {
    schema = TestServer.freshSchema();
    memory = new InMemoryLedger(() -> now[0]);
    RandomHistory history = new RandomHistory(memory, 17, by -> now[0] = now[0].plus(by));
    history.open();
    for (int i = 0; i < 250; i++) {
      history.step();
    }
    new Mirror(memory, TestServer.application(), schema).sync();
    memory.assets().forEach(asset -> assets.put(asset.code(), asset));
  }

  private static List<List<Object>> rows(String sql) {
    List<List<Object>> found = new ArrayList<>();
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = ''");
      try (ResultSet rows = statement.executeQuery(sql.replace("%", schema + "."))) {
        while (rows.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            row.add(rows.getString(i));
          }
          found.add(row);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  private static List<Object> row(Object... values) {
    List<Object> row = new ArrayList<>();
    for (Object value : values) {
      row.add(value == null ? null : value.toString());
    }
    return row;
  }

  private static String text(Balance balance, AssetCode asset) {
    return balance == null ? null : balance.format(Objects.requireNonNull(assets.get(asset)));
  }

  private static String text(dev.partita.Amount amount, AssetCode asset) {
    return amount.format(Objects.requireNonNull(assets.get(asset)));
  }

  @Test
  void showAccounts() {
    List<List<Object>> expected = new ArrayList<>();
    for (Account account : memory.accounts(AccountQuery.all(100)).items()) {
      AssetCode asset = account.asset();
      expected.add(
          row(
              account.id(),
              asset,
              account.normal(),
              account.code(),
              text(account.balance().balance(), asset),
              text(account.balance().held(), asset),
              text(account.balance().expected(), asset),
              text(account.available(), asset),
              text(account.limits().minBalance(), asset),
              text(account.limits().maxBalance(), asset),
              account.balance().version(),
              account.lastChange(),
              account.closed(),
              account.balance().counters().debitsPosted(),
              account.available(),
              account.metadata().asMap().getOrDefault("name", null)));
    }
    assertThat(
            rows(
                "SELECT id, asset, normal, code, balance, held, expected, available, min_balance,"
                    + " max_balance, version, last_change,"
                    + " CASE WHEN closed_at IS NULL THEN 'false' ELSE 'true' END,"
                    + " debits_posted_minor, available_minor, metadata ->> 'name'"
                    + " FROM %accounts ORDER BY id"))
        .isEqualTo(expected);
  }

  @Test
  void showEntriesAndStatements() {
    for (AccountId id : RandomHistory.euros()) {
      List<Entry> lines = memory.statement(StatementQuery.oldestFirst(id, 10_000)).items();
      List<List<Object>> expected = new ArrayList<>();
      Balance before = Balance.ZERO;
      for (Entry line : lines) {
        Transfer transfer = line.transfer();
        AssetCode asset = transfer.asset();
        Balance after = line.after().balance();
        BigInteger change = after.toBigInteger().subtract(before.toBigInteger());
        expected.add(
            row(
                line.version(),
                transfer.kind(),
                line.side(),
                line.counterparty(),
                text(transfer.amount(), asset),
                text(Balance.ofMinor(change), asset),
                text(after, asset),
                text(line.after().held(), asset),
                text(line.after().expected(), asset),
                transfer.id(),
                transfer.code(),
                transfer.reference()));
        before = after;
      }
      String columns =
          "version, kind, side, counterparty, amount, change, balance, held, expected, transfer_id,"
              + " code, reference";
      assertThat(
              rows(
                  "SELECT "
                      + columns
                      + " FROM %entries WHERE account = '"
                      + id
                      + "' ORDER BY version"))
          .isEqualTo(expected);
      String statement = "SELECT " + columns + " FROM %statement('" + id + "'";
      assertThat(rows(statement + ", max_lines => 10000, newest_first => false)"))
          .isEqualTo(expected);
      assertThat(rows(statement + ", 5, 3, false)")).isEqualTo(expected.subList(4, 7));
      assertThat(rows(statement + ", 5, 3)")).isEqualTo(expected.subList(2, 5).reversed());
      int size = expected.size();
      assertThat(rows(statement + ")"))
          .isEqualTo(expected.subList(Math.max(0, size - 100), size).reversed());
    }
  }

  @Test
  void refuseStatementsThatCannotBeAnswered() {
    assertThatThrownBy(() -> rows("SELECT 1 FROM %statement('nobody')"))
        .hasMessageContaining("no account 'nobody'");
    assertThatThrownBy(() -> rows("SELECT 1 FROM %statement(NULL)"))
        .hasMessageContaining("no account");
    assertThatThrownBy(() -> rows("SELECT 1 FROM %statement('bank', max_lines => 0)"))
        .hasMessageContaining("1 … 10000");
  }

  @Test
  void showTransfersHoldsChangesAndTheTrialBalance() {
    List<List<Object>> transfers = new ArrayList<>();
    for (Transfer transfer : memory.journal(null, 10_000).items()) {
      transfers.add(
          row(
              transfer.id(),
              transfer.kind(),
              transfer.debit(),
              transfer.credit(),
              text(transfer.amount(), transfer.asset()),
              text(transfer.released(), transfer.asset()),
              transfer.group() == null ? null : transfer.group().index(),
              transfer.code(),
              transfer.reference()));
    }
    assertThat(
            rows(
                "SELECT id, kind, debit, credit, amount, released, group_index, code, reference"
                    + " FROM %transfers ORDER BY batch, batch_index"))
        .isEqualTo(transfers);
    List<List<Object>> holds = new ArrayList<>();
    for (Hold hold : memory.holds(HoldQuery.all(10_000)).items()) {
      holds.add(
          row(
              hold.id(),
              text(hold.remaining(), hold.transfer().asset()),
              hold.deadline() == null ? null : hold.deadline().getEpochSecond()));
    }
    assertThat(
            rows(
                "SELECT id, remaining, floor(extract(epoch FROM deadline))::bigint FROM %holds"
                    + " ORDER BY batch, batch_index"))
        .isEqualTo(holds);
    List<List<Object>> changes = new ArrayList<>();
    for (AccountId id : RandomHistory.euros()) {
      for (AccountChange change : memory.changes(id, null, 1_000).items()) {
        changes.add(
            row(
                id,
                change.number(),
                change.actor(),
                change.afterVersion(),
                text(change.before().limits().minBalance(), RandomHistory.EUR),
                text(change.after().limits().maxBalance(), RandomHistory.EUR)));
      }
    }
    assertThat(
            rows(
                "SELECT account, number, actor, after_version, old_min_balance, max_balance"
                    + " FROM %account_changes ORDER BY account, number"))
        .containsExactlyInAnyOrderElementsOf(changes);
    List<List<Object>> totals = new ArrayList<>();
    for (TrialBalance.Line line : memory.trialBalance().lines()) {
      totals.add(
          row(
              line.asset(),
              line.code(),
              line.normal(),
              line.accounts(),
              line.debitsPosted(),
              line.creditsPending(),
              text(Balance.ofMinor(line.creditsPosted()), line.asset())));
    }
    assertThat(
            rows(
                "SELECT asset, code, normal, accounts, debits_posted_minor, credits_pending_minor,"
                    + " credits_posted FROM %trial_balance"))
        .isEqualTo(totals);
  }

  @Test
  void writeAmountsExactlyInEveryScale() {
    String max = "170141183460469231731687303715884105727";
    for (int scale = 0; scale <= 30; scale++) {
      Asset asset = Asset.of("X", scale);
      assertThat(
              rows(
                  "SELECT %major_units("
                      + max
                      + ", "
                      + scale
                      + "), %major_units(-1, "
                      + scale
                      + ")"))
          .containsExactly(row(Balance.MAX.format(asset), Balance.ofMinor(-1).format(asset)));
    }
  }
}
