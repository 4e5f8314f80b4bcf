package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.LedgerEvent;
import dev.partita.Limits;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.rules.Cursor;
import dev.partita.rules.FeedPlace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The statements of the change feed and what their rows say. Immutable. */
final class FeedSql {

  /** Kinds of events by their order in a batch; part of cursors, never renumbered. */
  static final long OPENED = 0;

  static final long TRANSFER = 1;
  static final long CHANGED = 2;

  /** Before all kinds. */
  static final long BEFORE_ALL = -1;

  private final String schema;

  FeedSql(String schema) {
    this.schema = schema;
  }

  /**
   * Which ledger this is, and of the event at a place: its batch, id and time, if it is there.
   *
   * @param kind of the event
   */
  SqlQuery standing(FeedPlace place, long kind) {
    SqlQuery query = new SqlQuery().add("SELECT l.incarnation, e.batch, e.id, e.recorded_at");
    query.add(" FROM " + schema + ".ledger l LEFT JOIN LATERAL (");
    if (place.isStart()) {
      query.add("SELECT 0::bigint AS batch, NULL::text AS id, NULL::timestamptz AS recorded_at");
    } else if (kind == OPENED) {
      query
          .add("SELECT a.batch, 'opened:' || a.id AS id, a.opened_at AS recorded_at FROM " + schema)
          .add(".account a WHERE a.no = ?", (int) place.first());
    } else if (kind == TRANSFER) {
      query
          .add("SELECT t.batch, 'transfer:' || t.id AS id, t.recorded_at FROM " + schema)
          .add(".transfer t WHERE t.id = ?", new UUID(place.second(), place.third()))
          .add(" AND t.batch_index = ?", (int) place.first());
    } else if (kind == CHANGED) {
      query
          .add("SELECT c.batch, 'changed:' || a.id || ':' || c.number AS id, c.recorded_at FROM ")
          .add(schema + ".account_change c JOIN " + schema + ".account a ON a.no = c.account_no")
          .add(" WHERE c.account_no = ?", (int) place.first())
          .add(" AND c.number = ?", place.second());
    } else {
      throw Cursor.unknownPlace();
    }
    return query.add(" LIMIT 1) e ON true");
  }

  /** Openings after a place, up to a batch. With the terms of the day: those before any change. */
  SqlQuery opened(FeedReads.After after, long lastBatch, int limit) {
    int no = Integer.MAX_VALUE;
    if (after.kind() <= OPENED) {
      no = after.kind() == OPENED ? (int) after.first() : Integer.MIN_VALUE;
    }
    return new SqlQuery()
        .add(
            """
            SELECT a.batch, a.no, a.id, a.asset, a.normal, a.code, a.opened_at,
                   CASE WHEN f.number IS NULL THEN a.min_balance ELSE f.old_min_balance END,
                   CASE WHEN f.number IS NULL THEN a.max_balance ELSE f.old_max_balance END,
                   (CASE WHEN f.number IS NULL THEN a.metadata ELSE f.old_metadata END)::text
            """)
        .add("FROM (SELECT * FROM " + schema + ".account x")
        .add(" WHERE (x.batch, x.no) > (?, ?) AND x.batch <= ?", after.batch(), no, lastBatch)
        .add(" ORDER BY x.batch, x.no LIMIT ?) a", limit)
        .add(" LEFT JOIN " + schema + ".account_change f ON f.account_no = a.no AND f.number = 1")
        .add(" ORDER BY a.batch, a.no");
  }

  static List<FeedReads.Found> readOpened(ResultSet rows) throws SQLException {
    List<FeedReads.Found> found = new ArrayList<>();
    while (rows.next()) {
      LedgerEvent event =
          new LedgerEvent.AccountOpened("", account(rows), TransferRows.instant(rows, 7));
      found.add(new FeedReads.Found(rows.getLong(1), OPENED, rows.getLong(2), 0, 0, event));
    }
    return found;
  }

  private static NewAccount account(ResultSet row) throws SQLException {
    try {
      return new NewAccount(
          new AccountId(row.getString(3)),
          new AssetCode(row.getString(4)),
          TransferRows.side(row.getInt(5)),
          new Limits(Numerics.balanceOrNull(row, 8), Numerics.balanceOrNull(row, 9)),
          row.getInt(6),
          MetadataJson.read(row.getString(10)));
    } catch (MisuseException e) {
      throw TransferRows.corrupt("account " + row.getString(3), e);
    }
  }

  /** Changes after a place, up to a batch. */
  SqlQuery changed(FeedReads.After after, long lastBatch, int limit) {
    boolean within = after.kind() == CHANGED;
    return new SqlQuery()
        .add(
            """
            SELECT a.id, c.number, c.old_min_balance, c.old_max_balance, c.old_metadata::text,
                   c.was_closed, c.min_balance, c.max_balance, c.metadata::text, c.closed,
                   c.after_version, c.recorded_at, c.actor, a.asset, c.batch, c.account_no
            """)
        .add("FROM (SELECT * FROM " + schema + ".account_change x WHERE")
        .add(
            " (x.batch, x.account_no, x.number) > (?, ?, ?)",
            after.batch(),
            within ? (int) after.first() : Integer.MIN_VALUE,
            within ? after.second() : 0)
        .add(" AND x.batch <= ?", lastBatch)
        .add(" ORDER BY x.batch, x.account_no, x.number LIMIT ?) c", limit)
        .add(" JOIN " + schema + ".account a ON a.no = c.account_no")
        .add(" ORDER BY c.batch, c.account_no, c.number");
  }

  static List<FeedReads.Found> readChanged(ResultSet rows) throws SQLException {
    List<FeedReads.Found> found = new ArrayList<>();
    while (rows.next()) {
      LedgerEvent event =
          new LedgerEvent.AccountChanged(
              "",
              AccountReads.change(new AccountId(rows.getString(1)), rows),
              new AssetCode(rows.getString(14)));
      found.add(
          new FeedReads.Found(
              rows.getLong(15), CHANGED, rows.getLong(16), rows.getLong(2), 0, event));
    }
    return found;
  }

  /** Where transfers after a place begin, up to a batch. */
  static BatchWindows.Range transfers(FeedReads.After after, long lastBatch) {
    if (after.kind() > TRANSFER) {
      return new BatchWindows.Range(after.batch() + 1, 0, lastBatch);
    }
    return new BatchWindows.Range(
        after.batch(), after.kind() == TRANSFER ? after.first() + 1 : 0, lastBatch);
  }

  static FeedReads.Found transfer(TransferRows.Stored stored) {
    UUID id = stored.transfer().id();
    return new FeedReads.Found(
        stored.batch(),
        TRANSFER,
        stored.batchIndex(),
        id.getMostSignificantBits(),
        id.getLeastSignificantBits(),
        new LedgerEvent.TransferRecorded("", stored.transfer()));
  }
}
