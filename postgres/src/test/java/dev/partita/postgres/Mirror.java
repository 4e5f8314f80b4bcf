package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AccountTerms;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.GroupRef;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Copies what another ledger recorded into the tables, so that reading can be tested without the
 * writing of this engine. What one call of {@link #sync} finds new becomes one batch, or several
 * where accounts were changed in between.
 */
final class Mirror {

  private final Ledger source;
  private final DataSource target;
  private final String schema;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<AccountId, Long> changes = new HashMap<>();
  private String journal;

  Mirror(Ledger source, DataSource target, String schema) {
    this.source = source;
    this.target = target;
    this.schema = schema;
  }

  /** Copies everything new in one transaction. */
  void sync() {
    try (Connection connection = target.getConnection()) {
      connection.setAutoCommit(false);
      assets(connection);
      accounts(connection);
      transfers(connection);
      changes(connection);
      holds(connection);
      connection.commit();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void assets(Connection connection) throws SQLException {
    for (Asset asset : source.assets()) {
      run(
          connection,
          "INSERT INTO %s.asset (code, scale) VALUES (?, ?) ON CONFLICT DO NOTHING",
          asset.code().value(),
          asset.scale());
    }
  }

  private void accounts(Connection connection) throws SQLException {
    for (Account account : allAccounts()) {
      String id = account.id().value();
      if (!numbers.containsKey(id)) {
        Page<AccountChange> first = source.changes(account.id(), null, 1);
        AccountTerms opened =
            first.items().isEmpty()
                ? new AccountTerms(account.limits(), account.metadata(), account.closed())
                : first.items().getFirst().before();
        run(
            connection,
            "INSERT INTO %s.account (opened_at, code, normal, id, asset, min_balance, max_balance,"
                + " metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb)",
            account.openedAt(),
            account.code(),
            account.normal() == Side.DEBIT ? 0 : 1,
            id,
            account.asset().value(),
            opened.limits().minBalance(),
            opened.limits().maxBalance(),
            MetadataJson.write(opened.metadata()));
        numbers.put(id, number(connection, id));
      }
    }
  }

  private List<Account> allAccounts() {
    List<Account> accounts = new ArrayList<>();
    AccountQuery query = AccountQuery.all(10_000);
    Page<Account> page;
    do {
      page = source.accounts(query);
      accounts.addAll(page.items());
      query = query.from(page.next());
    } while (page.next() != null);
    return accounts;
  }

  private int number(Connection connection, String id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT no FROM " + schema + ".account WHERE id = ?")) {
      statement.setString(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  /** A change lies between what is in one batch and what is in a later one. */
  private boolean comesAfterChange(Transfer transfer) {
    return Stream.of(transfer.debitAfter(), transfer.creditAfter())
        .anyMatch(
            after ->
                source.changes(after.account(), null, 10_000).items().stream()
                    .anyMatch(change -> change.afterVersion() == after.version() - 1));
  }

  private void transfers(Connection connection) throws SQLException {
    long batch = 0;
    int index = 0;
    Page<Transfer> page;
    do {
      page = source.journal(journal, 10_000);
      journal = page.next();
      for (Transfer transfer : page.items()) {
        if (batch == 0 || comesAfterChange(transfer)) {
          batch = nextBatch(connection, schema);
          index = 0;
        }
        insert(connection, transfer, batch, index++);
      }
    } while (page.items().size() == 10_000);
  }

  static long nextBatch(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT nextval('" + schema + ".batch')")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  void insert(Connection connection, Transfer transfer, long batch, int index) throws SQLException {
    GroupRef group = transfer.group();
    boolean upTo = transfer.request().upTo() != dev.partita.UpTo.NONE;
    List<Object> values = new ArrayList<>();
    values.add(batch);
    values.add(transfer.recordedAt());
    values.add(transfer.debitAfter().version());
    values.add(transfer.creditAfter().version());
    values.add(numbers.get(transfer.debit().value()));
    values.add(numbers.get(transfer.credit().value()));
    values.add(index);
    values.add((int) TransferRows.stored(transfer.kind()));
    values.add((int) TransferRows.flags(transfer));
    values.add(transfer.id());
    values.add(decimal(transfer.amount()));
    counters(values, transfer.debitAfter());
    counters(values, transfer.creditAfter());
    values.add(transfer.relatedId());
    values.add(group == null ? null : group.id());
    values.add(group == null ? null : (Integer) group.index());
    values.add(group == null ? null : (Integer) group.size());
    values.add(transfer.code() == 0 ? null : (Integer) transfer.code());
    values.add(transfer.request().timeoutSeconds());
    values.add(transfer.request().effectiveAt());
    values.add(orNull(transfer.released()));
    values.add(upTo ? decimal(transfer.request().amount()) : null);
    values.add(transfer.reference());
    values.add(MetadataJson.write(transfer.request().metadata()));
    String places = "?, ".repeat(values.size() - 1) + "?::jsonb";
    run(
        connection,
        "INSERT INTO %s.transfer (batch, recorded_at, debit_version, credit_version, debit_no,"
            + " credit_no, batch_index, kind, flags, id, amount, debit_debits_posted,"
            + " debit_credits_posted, debit_debits_pending, debit_credits_pending,"
            + " credit_debits_posted, credit_credits_posted, credit_debits_pending,"
            + " credit_credits_pending, related_id, group_id, group_index, group_size, code,"
            + " timeout_seconds, effective_at, released, maximum, reference, metadata) VALUES ("
            + places
            + ")",
        values.toArray());
  }

  private static void counters(List<Object> values, AccountBalance after) {
    values.add(orNull(after.counters().debitsPosted()));
    values.add(orNull(after.counters().creditsPosted()));
    values.add(orNull(after.counters().debitsPending()));
    values.add(orNull(after.counters().creditsPending()));
  }

  private static BigDecimal decimal(Amount amount) {
    return new BigDecimal(amount.toBigInteger());
  }

  private static BigDecimal orNull(Amount amount) {
    return amount.isZero() ? null : decimal(amount);
  }

  private void changes(Connection connection) throws SQLException {
    for (Account account : allAccounts()) {
      Page<AccountChange> page = source.changes(account.id(), null, 10_000);
      for (AccountChange change : page.items()) {
        if (change.number() <= changes.getOrDefault(account.id(), 0L)) {
          continue;
        }
        changes.put(account.id(), change.number());
        run(
            connection,
            "INSERT INTO %1$s.account_change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb,"
                + " ?::jsonb, (SELECT coalesce((SELECT max(t.batch) FROM %1$s.transfer t WHERE"
                + " (t.debit_no = a.no AND t.debit_version = ?) OR (t.credit_no = a.no AND"
                + " t.credit_version = ?)), a.batch) FROM %1$s.account a WHERE a.no = ?))",
            change.number(),
            change.recordedAt(),
            change.afterVersion(),
            numbers.get(account.id().value()),
            change.before().closed(),
            change.after().closed(),
            change.actor(),
            change.before().limits().minBalance(),
            change.before().limits().maxBalance(),
            change.after().limits().minBalance(),
            change.after().limits().maxBalance(),
            MetadataJson.write(change.before().metadata()),
            MetadataJson.write(change.after().metadata()),
            change.afterVersion(),
            change.afterVersion(),
            numbers.get(account.id().value()));
        run(
            connection,
            "UPDATE %s.account SET min_balance = ?, max_balance = ?, metadata = ?::jsonb, closed_at ="
                + " CASE WHEN ? THEN coalesce(closed_at, ?) END, last_change = ? WHERE no = ?",
            change.after().limits().minBalance(),
            change.after().limits().maxBalance(),
            MetadataJson.write(change.after().metadata()),
            change.after().closed(),
            change.recordedAt(),
            change.number(),
            numbers.get(account.id().value()));
      }
    }
  }

  private void holds(Connection connection) throws SQLException {
    run(connection, "DELETE FROM %s.hold");
    HoldQuery query = HoldQuery.all(10_000);
    Page<Hold> page;
    do {
      page = source.holds(query);
      for (Hold hold : page.items()) {
        run(
            connection,
            "INSERT INTO %1$s.hold SELECT t.batch, ?, t.debit_no, t.credit_no, t.batch_index, t.id, ?"
                + " FROM %1$s.transfer t WHERE t.id = ?",
            hold.deadline(),
            decimal(hold.remaining()),
            hold.id());
      }
      query = query.from(page.next());
    } while (page.next() != null);
  }

  private void run(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.formatted(schema))) {
      for (int i = 0; i < values.length; i++) {
        Object value = values[i];
        if (value instanceof Instant instant) {
          value = instant.atOffset(ZoneOffset.UTC);
        } else if (value instanceof Balance balance) {
          value = new BigDecimal(balance.toBigInteger());
        } else if (value instanceof TransferKind) {
          throw new IllegalArgumentException("a kind is stored as a number");
        }
        statement.setObject(i + 1, value);
      }
      statement.execute();
    }
  }
}
