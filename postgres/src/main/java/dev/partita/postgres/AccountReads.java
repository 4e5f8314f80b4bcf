package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.AccountTerms;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Limits;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.TimeSource;
import dev.partita.TrialBalance;
import dev.partita.UnknownAccountException;
import dev.partita.rules.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads assets, accounts, their changes, and what all of them come to. */
final class AccountReads {

  /** Above every character of an id. */
  private static final String AFTER_IDS = "\u007f";

  private final ReadSession session;
  private final String schema;
  private final @Nullable TimeSource timeSource;

  AccountReads(ReadSession session, String schema, @Nullable TimeSource timeSource) {
    this.session = session;
    this.schema = schema;
    this.timeSource = timeSource;
  }

  List<Asset> assets() {
    SqlQuery query =
        new SqlQuery().add("SELECT code, scale FROM " + schema + ".asset ORDER BY code");
    return session.ask(
        "reading the assets",
        query,
        rows -> {
          List<Asset> assets = new ArrayList<>();
          while (rows.next()) {
            assets.add(new Asset(new AssetCode(rows.getString(1)), rows.getInt(2)));
          }
          return assets;
        });
  }

  Optional<Account> account(AccountId id) {
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + AccountStates.ACCOUNT_COLUMNS + ", ")
            .add(AccountStates.stateColumns("n"))
            .add(" FROM " + schema + ".account a LEFT JOIN LATERAL ")
            .add(AccountStates.newest(schema))
            .add(" n ON true WHERE a.id = ?", id.value());
    return session.ask(
        "reading account " + id,
        query,
        rows -> rows.next() ? Optional.of(AccountStates.account(rows)) : Optional.empty());
  }

  Page<Account> accounts(AccountQuery wanted) {
    Cursor cursor = Cursor.of("accounts", wanted.prefix(), wanted.asset(), wanted.code());
    String from = wanted.cursor() == null ? null : accountAt(cursor, wanted.cursor());
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + AccountStates.ACCOUNT_COLUMNS + ", ")
            .add(AccountStates.stateColumns("n"))
            .add(" FROM (SELECT * FROM " + schema + ".account x WHERE true");
    if (wanted.prefix() != null) {
      query.add(" AND x.id >= ? AND x.id < ?", wanted.prefix(), wanted.prefix() + AFTER_IDS);
    }
    if (from != null) {
      query.add(" AND x.id >= ?", from);
    }
    if (wanted.asset() != null) {
      query.add(" AND x.asset = ?", wanted.asset().value());
    }
    if (wanted.code() != null) {
      query.add(" AND x.code = ?", wanted.code());
    }
    query
        .add(" ORDER BY x.id LIMIT ?) a LEFT JOIN LATERAL ", wanted.limit() + 1)
        .add(AccountStates.newest(schema))
        .add(" n ON true ORDER BY a.id");
    return session.ask(
        "listing accounts",
        query,
        rows -> {
          List<Account> accounts = new ArrayList<>();
          while (rows.next()) {
            accounts.add(AccountStates.account(rows));
          }
          // Accounts are never removed, so the one that a cursor names is the first of its page.
          if (from != null
              && (accounts.isEmpty() || !accounts.getFirst().id().value().equals(from))) {
            throw Cursor.unknownPlace();
          }
          return Pages.of(
              accounts, wanted.limit(), next -> Cursor.Position.of(next.id().value()), cursor);
        });
  }

  private static String accountAt(Cursor cursor, String text) {
    List<String> texts = cursor.read(text).texts();
    if (texts.size() != 1) {
      throw Cursor.unknownPlace();
    }
    return texts.getFirst();
  }

  Page<AccountChange> changes(AccountId id, @Nullable String from, int limit) {
    Page.requireLimit(limit);
    Cursor cursor = Cursor.of("changes", id);
    long start = from == null ? 1 : cursor.readNumber(from, 1, Long.MAX_VALUE);
    SqlQuery query =
        new SqlQuery()
            .add(
                """
                SELECT a.last_change, c.number, c.old_min_balance, c.old_max_balance, c.old_metadata::text,
                       c.was_closed, c.min_balance, c.max_balance, c.metadata::text, c.closed,
                       c.after_version, c.recorded_at, c.actor
                """)
            .add("FROM " + schema + ".account a LEFT JOIN LATERAL (SELECT * FROM " + schema)
            .add(".account_change x WHERE x.account_no = a.no AND x.number >= ?", start)
            .add(" ORDER BY x.number LIMIT ?) c ON true WHERE a.id = ?", limit + 1, id.value())
            .add(" ORDER BY c.number");
    return session.ask(
        "reading the changes of account " + id,
        query,
        rows -> {
          List<AccountChange> changes = new ArrayList<>();
          boolean known = false;
          while (rows.next()) {
            known = true;
            if (from != null && start > rows.getLong(1)) {
              throw Cursor.unknownPlace();
            }
            if (rows.getLong(2) != 0) {
              changes.add(change(id, rows));
            }
          }
          if (!known) {
            throw new UnknownAccountException(id);
          }
          return Pages.of(changes, limit, next -> Cursor.Position.of(next.number()), cursor);
        });
  }

  /** Reads the columns 2 to 13 of {@link #changes}. */
  static AccountChange change(AccountId id, ResultSet row) throws SQLException {
    return new AccountChange(
        id,
        row.getLong(2),
        terms(row, 3),
        terms(row, 7),
        row.getLong(11),
        TransferRows.instant(row, 12),
        row.getString(13));
  }

  private static AccountTerms terms(ResultSet row, int firstColumn) throws SQLException {
    return new AccountTerms(
        new Limits(
            Numerics.balanceOrNull(row, firstColumn), Numerics.balanceOrNull(row, firstColumn + 1)),
        MetadataJson.read(row.getString(firstColumn + 2)),
        row.getBoolean(firstColumn + 3));
  }

  TrialBalance trialBalance() {
    Instant now = timeSource == null ? null : timeSource.now().truncatedTo(ChronoUnit.MICROS);
    // When the transaction began: what was recorded and answered by then is in the snapshot.
    SqlQuery query =
        new SqlQuery()
            .add(
                """
                SELECT now(), x.* FROM (SELECT 1) one LEFT JOIN (
                  SELECT a.asset, a.code, a.normal, count(*), sum(n.dp), sum(n.cp), sum(n.dh), sum(n.ch)
                """)
            .add("FROM " + schema + ".account a LEFT JOIN LATERAL ")
            .add(AccountStates.newest(schema))
            .add(" n ON true GROUP BY a.asset, a.code, a.normal) x ON true")
            .add(" ORDER BY x.asset, x.code, x.normal");
    return session.ask(
        "reading the trial balance",
        query,
        rows -> {
          List<TrialBalance.Line> lines = new ArrayList<>();
          Instant takenAt = now;
          while (rows.next()) {
            takenAt = takenAt == null ? TransferRows.instant(rows, 1) : takenAt;
            if (rows.getString(2) != null) {
              lines.add(line(rows));
            }
          }
          return new TrialBalance(lines, takenAt == null ? Instant.EPOCH : takenAt);
        });
  }

  private static TrialBalance.Line line(ResultSet row) throws SQLException {
    Side normal = TransferRows.side(row.getInt(4));
    return new TrialBalance.Line(
        new AssetCode(row.getString(2)),
        row.getInt(3),
        normal,
        row.getLong(5),
        Numerics.totalOrZero(row, 6),
        Numerics.totalOrZero(row, 7),
        Numerics.totalOrZero(row, 8),
        Numerics.totalOrZero(row, 9));
  }
}
