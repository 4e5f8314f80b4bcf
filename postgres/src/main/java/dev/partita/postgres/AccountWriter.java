package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.RegisterResult;
import dev.partita.TimeSource;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.UnknownAccountException;
import dev.partita.rules.AccountRules;
import dev.partita.rules.AccountState;
import dev.partita.rules.Restorable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Registers assets, opens and changes accounts: short transactions of their own, one round each.
 */
final class AccountWriter {

  private static final int OPEN_MAX = 10_000;

  private final DataSource dataSource;
  private final PostgresConfig config;
  private final String schema;
  private final LookUp lookUp;

  /** What is done in one transaction. */
  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** What of an account's row the rules of posting do not need. */
  private record Row(
      int code,
      Metadata metadata,
      @Nullable Instant closedAt,
      long lastChange,
      @Nullable Instant lastChangedAt) {}

  AccountWriter(DataSource dataSource, PostgresConfig config, LookUp lookUp) {
    this.dataSource = dataSource;
    this.config = config;
    this.schema = config.schema();
    this.lookUp = lookUp;
  }

  List<RegisterResult> register(List<Asset> assets) {
    ArrayLiteral codes = new ArrayLiteral();
    ArrayLiteral scales = new ArrayLiteral();
    for (Asset asset : assets) {
      codes.addText(asset.code().value());
      scales.add(asset.scale());
    }
    String insert =
        "INSERT INTO "
            + schema
            + ".asset (code, scale) SELECT n.code, n.scale FROM unnest(?::text[], ?::smallint[])"
            + " WITH ORDINALITY AS n(code, scale, place) ORDER BY n.code, n.place"
            + " ON CONFLICT (code) DO NOTHING RETURNING code";
    String select = "SELECT code, scale FROM " + schema + ".asset WHERE code = ANY(?::text[])";
    return transaction(
        "registering assets",
        connection -> {
          Set<String> created = texts(connection, insert, codes, scales);
          Map<String, Integer> stored = new HashMap<>();
          try (PreparedStatement statement = connection.prepareStatement(select)) {
            codes.bind(statement, 1);
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                stored.put(rows.getString(1), rows.getInt(2));
              }
            }
          }
          List<RegisterResult> results = new ArrayList<>(assets.size());
          for (Asset asset : assets) {
            String code = asset.code().value();
            Integer scale = stored.get(code);
            if (scale == null) {
              throw new SQLException("asset " + code + " is gone", "XX001");
            }
            RegisterResult.Status status = RegisterResult.Status.EXISTS_DIFFERENT;
            if (scale == asset.scale()) {
              status =
                  created.remove(code)
                      ? RegisterResult.Status.CREATED
                      : RegisterResult.Status.EXISTS;
            }
            results.add(new RegisterResult(new Asset(asset.code(), scale), status));
          }
          return results;
        });
  }

  List<OpenResult> open(List<NewAccount> accounts) {
    if (accounts.size() > OPEN_MAX) {
      throw new MisuseException(
          "accounts", "at most 10,000 at once, these are " + accounts.size() + "; split them");
    }
    if (accounts.isEmpty()) {
      return List.of();
    }
    TimeSource clock = config.timeSource();
    List<Restorable.OpenedAccount> opened = new ArrayList<>(accounts.size());
    Instant now = clock == null ? Instant.EPOCH : clock.now().truncatedTo(ChronoUnit.MICROS);
    accounts.forEach(account -> opened.add(new Restorable.OpenedAccount(account, now)));
    return transaction(
        "opening accounts", connection -> insertAccounts(connection, opened, clock == null));
  }

  void restore(List<Restorable.OpenedAccount> accounts) {
    List<OpenResult> results =
        transaction(
            "restoring accounts", connection -> insertAccounts(connection, accounts, false));
    for (OpenResult result : results) {
      if (result.status() != OpenResult.Status.CREATED
          && result.status() != OpenResult.Status.EXISTS) {
        throw new MisuseException(
            "account", result.id() + " cannot be restored: " + result.status());
      }
    }
  }

  private List<OpenResult> insertAccounts(
      Connection connection, List<Restorable.OpenedAccount> accounts, boolean databaseTime)
      throws SQLException {
    Set<String> created = new HashSet<>();
    ArrayLiteral ids = new ArrayLiteral();
    AccountArrays arrays = new AccountArrays();
    for (Restorable.OpenedAccount account : accounts) {
      ids.addText(account.account().id().value());
      arrays.add(account.account(), databaseTime ? null : account.openedAt());
    }
    // Those that exist are left out before the insert: each try would use up an account number, and
    // a batch number that is only taken makes the lanes look up what they knew.
    String insert =
        """
        WITH n AS MATERIALIZED (
          SELECT n.* FROM unnest(?::timestamptz[], ?::int[], ?::smallint[], ?::text[], ?::text[],
                                 ?::numeric[], ?::numeric[], ?::jsonb[])
            WITH ORDINALITY AS n(opened_at, code, normal, id, asset, min_balance, max_balance,
                                 metadata, place)
          JOIN %1$s.asset s ON s.code = n.asset
          WHERE NOT EXISTS (SELECT FROM %1$s.account e WHERE e.id = n.id)),
        taken AS MATERIALIZED (
          SELECT nextval('%1$s.batch') AS batch FROM (SELECT FROM n LIMIT 1) any_new)
        INSERT INTO %1$s.account
          (opened_at, code, normal, id, asset, min_balance, max_balance, metadata, batch)
        SELECT coalesce(n.opened_at, clock_timestamp()), n.code, n.normal, n.id, n.asset,
               n.min_balance, n.max_balance, n.metadata, taken.batch
        FROM n CROSS JOIN taken
        ORDER BY n.id COLLATE "C", n.place
        ON CONFLICT (id) DO NOTHING RETURNING id
        """
            .formatted(schema);
    created.addAll(texts(connection, insert, arrays.arrays()));
    Map<AccountId, Account> stored = storedAccounts(connection, ids);
    List<OpenResult> results = new ArrayList<>(accounts.size());
    for (Restorable.OpenedAccount account : accounts) {
      NewAccount wanted = account.account();
      boolean first = created.remove(wanted.id().value());
      Account existing = first ? null : stored.get(wanted.id());
      results.add(AccountRules.open(wanted, existing, first));
    }
    return results;
  }

  /** The accounts as far as opening compares them. */
  private Map<AccountId, Account> storedAccounts(Connection connection, ArrayLiteral ids)
      throws SQLException {
    String select =
        "SELECT id, asset, normal, code, opened_at FROM "
            + schema
            + ".account WHERE id = ANY(?::text[])";
    Map<AccountId, Account> stored = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      ids.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          AccountId id = new AccountId(row.getString(1));
          AccountBalance opened =
              new AccountBalance(
                  id,
                  new AssetCode(row.getString(2)),
                  TransferRows.side(row.getInt(3)),
                  0,
                  Counters.ZERO);
          stored.put(
              id,
              new Account(
                  id,
                  Limits.NONE,
                  row.getInt(4),
                  Metadata.EMPTY,
                  opened,
                  TransferRows.instant(row, 5),
                  null,
                  0));
        }
      }
    }
    return stored;
  }

  ChangeResult change(ChangeRequest request) {
    return transaction(
        "changing an account",
        connection -> {
          FoundBooks found = lock(connection, request.account());
          AccountState state = require(found, request.account());
          Row row = row(connection, found.no(request.account()));
          AccountRules.Decision decision =
              AccountRules.change(request, account(state, row), later(state, row), found.now());
          if (decision.change() != null) {
            record(connection, found, decision.change());
          }
          return decision.result();
        });
  }

  void restore(AccountChange change) {
    transaction(
        "restoring a change",
        connection -> {
          FoundBooks found = lock(connection, change.account());
          AccountState state = require(found, change.account());
          Row row = row(connection, found.no(change.account()));
          if (row.lastChange() >= change.number()) {
            return change.number();
          }
          Account current = account(state, row);
          if (change.number() != row.lastChange() + 1
              || change.afterVersion() != state.balance().version()
              || !change.before().equals(AccountRules.terms(current))) {
            throw new MisuseException(
                "change",
                "change "
                    + change.number()
                    + " of account "
                    + change.account()
                    + " does not follow change "
                    + row.lastChange()
                    + " at version "
                    + state.balance().version());
          }
          record(connection, found, change);
          return change.number();
        });
  }

  private FoundBooks lock(Connection connection, AccountId id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = " + config.contentionPatience().toMillis());
    }
    Needs needs = new Needs();
    needs.accounts.add(id);
    return lookUp.run(connection, needs, LookUp.Mode.OWN);
  }

  private static AccountState require(FoundBooks found, AccountId id) {
    if (!found.isLocked(id)) {
      throw new UnknownAccountException(id);
    }
    AccountState state = found.account(id);
    if (state == null) {
      throw new UnknownAccountException(id);
    }
    return state;
  }

  private Row row(Connection connection, int no) throws SQLException {
    String select =
        """
        SELECT a.code, a.metadata::text, a.closed_at, a.last_change,
               (SELECT c.recorded_at FROM %1$s.account_change c WHERE c.account_no = a.no
                ORDER BY c.number DESC LIMIT 1)
        FROM %1$s.account a WHERE a.no = ?
        """
            .formatted(schema);
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setInt(1, no);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Row(
            row.getInt(1),
            MetadataJson.read(row.getString(2)),
            TransferRows.instantOrNull(row, 3),
            row.getLong(4),
            TransferRows.instantOrNull(row, 5));
      }
    }
  }

  private static Account account(AccountState state, Row row) {
    return new Account(
        state.balance().account(),
        state.limits(),
        row.code(),
        row.metadata(),
        state.balance(),
        state.openedAt(),
        row.closedAt(),
        row.lastChange());
  }

  private static @Nullable Instant later(AccountState state, Row row) {
    Instant recorded = state.lastRecordedAt();
    Instant changed = row.lastChangedAt();
    if (recorded == null || changed == null) {
      return recorded == null ? changed : recorded;
    }
    return recorded.isAfter(changed) ? recorded : changed;
  }

  /** The log first: a trigger refuses terms that it does not state. */
  private void record(Connection connection, FoundBooks found, AccountChange change)
      throws SQLException {
    int no = found.no(change.account());
    String update =
        """
        INSERT INTO %1$s.account_change
          (account_no, number, recorded_at, after_version, was_closed, closed, actor,
           old_min_balance, old_max_balance, min_balance, max_balance, old_metadata, metadata, batch)
        VALUES (?, ?, ?::timestamptz, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?);
        WITH changed AS (
          UPDATE %1$s.account SET min_balance = ?, max_balance = ?, metadata = ?::jsonb,
            closed_at = CASE WHEN ? THEN coalesce(closed_at, ?::timestamptz) END, last_change = ?
          WHERE no = ? RETURNING 1)
        SELECT %1$s.expect_rows((SELECT count(*) FROM changed), 1)
        """
            .formatted(schema);
    AccountTerms before = change.before();
    AccountTerms after = change.after();
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      Parameters parameters = new Parameters(statement);
      statement.setInt(parameters.next(), no);
      statement.setLong(parameters.next(), change.number());
      parameters.untyped(change.recordedAt().toString());
      statement.setLong(parameters.next(), change.afterVersion());
      statement.setBoolean(parameters.next(), before.closed());
      statement.setBoolean(parameters.next(), after.closed());
      parameters.untyped(change.actor());
      parameters.balance(before.limits().minBalance());
      parameters.balance(before.limits().maxBalance());
      parameters.balance(after.limits().minBalance());
      parameters.balance(after.limits().maxBalance());
      parameters.untyped(MetadataJson.write(before.metadata()));
      parameters.untyped(MetadataJson.write(after.metadata()));
      statement.setLong(parameters.next(), found.batch());
      parameters.balance(after.limits().minBalance());
      parameters.balance(after.limits().maxBalance());
      parameters.untyped(MetadataJson.write(after.metadata()));
      statement.setBoolean(parameters.next(), after.closed());
      parameters.untyped(change.recordedAt().toString());
      statement.setLong(parameters.next(), change.number());
      statement.setInt(parameters.next(), no);
      statement.execute();
    }
  }

  private <T> T transaction(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try (Statement statement = connection.createStatement()) {
          // The message makes every commit wait for the standbys, as a lane's barrier does: what is
          // merely found may not be safe there yet.
          statement.execute(
              "SET LOCAL synchronous_commit = "
                  + config.synchronousCommit()
                  + "; SELECT pg_logical_emit_message(true, 'partita', '')");
        }
        T result = work.run(connection);
        commit(connection, what);
        return result;
      } finally {
        restore(connection);
      }
    } catch (SQLException e) {
      if (SqlFailures.classify(e) == SqlFailures.Failure.LOCK_TIMEOUT) {
        throw new UnavailableException(
            Reason.CONTENTION,
            Outcome.NOT_POSTED,
            what + ": the account stayed locked by other transactions; nothing was changed",
            e);
      }
      throw SqlFailures.unavailable(e, what);
    }
  }

  private static void commit(Connection connection, String what) {
    try {
      connection.clearWarnings();
      connection.commit();
      RecordWriter.requireNoWarning(connection.getWarnings());
    } catch (SQLException | RecordWriter.UnknownCommitException e) {
      throw new UnavailableException(
          Reason.DATABASE_UNAVAILABLE,
          Outcome.UNKNOWN,
          what + ": the commit got no answer to rely on; repeat it to learn: " + e.getMessage(),
          e);
    }
  }

  /** For whoever gets the connection next. What was answered stays so, even if this fails. */
  private static void restore(Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      System.getLogger(AccountWriter.class.getName())
          .log(System.Logger.Level.DEBUG, "giving a connection back", e);
    }
  }

  private static Set<String> texts(Connection connection, String sql, ArrayLiteral... arrays)
      throws SQLException {
    Set<String> texts = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arrays.length; i++) {
        arrays[i].bind(statement, i + 1);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
    }
    return texts;
  }

  /** Counts the parameters of a statement. */
  private static final class Parameters {
    private final PreparedStatement statement;
    private int count;

    Parameters(PreparedStatement statement) {
      this.statement = statement;
    }

    int next() {
      return ++count;
    }

    void balance(@Nullable Balance value) throws SQLException {
      statement.setObject(next(), value == null ? null : value.toString(), Types.NUMERIC);
    }

    void untyped(@Nullable String value) throws SQLException {
      statement.setObject(next(), value, Types.OTHER);
    }
  }

  /** The columns of accounts to insert. */
  private static final class AccountArrays {
    private final List<ArrayLiteral> columns = new ArrayList<>();

    AccountArrays() {
      for (int i = 0; i < 8; i++) {
        columns.add(new ArrayLiteral());
      }
    }

    void add(NewAccount account, @Nullable Instant openedAt) {
      columns.get(0).add(openedAt);
      columns.get(1).add(account.code());
      columns.get(2).add(TransferRows.stored(account.normal()));
      columns.get(3).addText(account.id().value());
      columns.get(4).addText(account.asset().value());
      columns.get(5).add(account.limits().minBalance());
      columns.get(6).add(account.limits().maxBalance());
      columns.get(7).addText(MetadataJson.write(account.metadata()));
    }

    ArrayLiteral[] arrays() {
      return columns.toArray(new ArrayLiteral[0]);
    }
  }
}
