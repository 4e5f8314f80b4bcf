package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Page;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.UnknownAccountException;
import dev.partita.rules.Cursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds transfers and open holds, in the order of recording, which is that of (batch, batch_index).
 * A cursor names the first item of the page that it leads to.
 */
final class FindReads {

  private final ReadSession session;
  private final String schema;
  private final BatchWindows windows;

  FindReads(ReadSession session, String schema, BatchWindows windows) {
    this.session = session;
    this.schema = schema;
    this.windows = windows;
  }

  /** A place in the order of recording. */
  private record Place(long batch, long index) {

    static final Place START = new Place(0, 0);

    static Place of(Cursor cursor, @Nullable String text) {
      if (text == null) {
        return START;
      }
      List<Long> numbers = cursor.read(text).numbers();
      if (numbers.size() != 2 || numbers.getFirst() < 0 || numbers.getLast() < 0) {
        throw Cursor.unknownPlace();
      }
      return new Place(numbers.getFirst(), numbers.getLast());
    }

    static Cursor.Position position(long batch, long index) {
      return new Cursor.Position(List.of(batch, index), List.of());
    }
  }

  Page<Transfer> find(TransferQuery wanted) {
    Cursor cursor =
        Cursor.of(
            "find",
            wanted.reference(),
            wanted.groupId(),
            wanted.relatedId(),
            wanted.account(),
            wanted.code(),
            wanted.from(),
            wanted.to());
    boolean named =
        wanted.reference() != null || wanted.groupId() != null || wanted.relatedId() != null;
    return session.with(
        "finding transfers",
        connection -> {
          AccountId account = wanted.account();
          Integer no = account == null ? null : Integer.valueOf(requireNo(connection, account));
          if (named) {
            return byName(connection, wanted, no, cursor);
          }
          return no == null
              ? byTime(connection, wanted, cursor)
              : byAccount(connection, wanted, no, cursor);
        });
  }

  private int requireNo(Connection connection, AccountId id) throws SQLException {
    SqlQuery query =
        new SqlQuery().add("SELECT no FROM " + schema + ".account WHERE id = ?", id.value());
    return ReadSession.ask(
        connection,
        query,
        rows -> {
          if (!rows.next()) {
            throw new UnknownAccountException(id);
          }
          return rows.getInt(1);
        });
  }

  /** By reference, group or related record: an index leads to them. */
  private Page<Transfer> byName(
      Connection connection, TransferQuery wanted, @Nullable Integer no, Cursor cursor)
      throws SQLException {
    Place from = Place.of(cursor, wanted.cursor());
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + TransferRows.COLUMNS + " FROM (SELECT * FROM " + schema)
            .add(
                ".transfer t WHERE (t.batch, t.batch_index) >= (?, ?)", from.batch(), from.index());
    if (wanted.groupId() != null) {
      query.add(" AND t.group_id = ?", wanted.groupId());
    }
    if (wanted.relatedId() != null) {
      query.add(" AND t.related_id = ?", wanted.relatedId());
    }
    if (wanted.reference() != null) {
      query.add(" AND t.reference = ?", wanted.reference());
    }
    if (no != null) {
      query.add(" AND (t.debit_no = ? OR t.credit_no = ?)", no, no);
    }
    narrow(query, wanted);
    query.add(" ORDER BY t.batch, t.batch_index LIMIT ?) t ", wanted.limit() + 1);
    query.add(accounts()).add(" ORDER BY t.batch, t.batch_index");
    List<TransferRows.Stored> found = ReadSession.ask(connection, query, BatchWindows::readAll);
    return page(found, wanted.limit(), cursor);
  }

  private static void narrow(SqlQuery query, TransferQuery wanted) {
    if (wanted.code() != null) {
      query.add(" AND coalesce(t.code, 0) = ?", wanted.code());
    }
    if (wanted.from() != null) {
      query.add(" AND t.recorded_at >= ?", SqlQuery.up(wanted.from()));
    }
    if (wanted.to() != null) {
      query.add(" AND t.recorded_at <= ?", wanted.to());
    }
  }

  /** Along the account's versions, which is the order of recording too. */
  private Page<Transfer> byAccount(
      Connection connection, TransferQuery wanted, int no, Cursor cursor) throws SQLException {
    long from = wanted.cursor() == null ? 1 : cursor.readNumber(wanted.cursor(), 1, Long.MAX_VALUE);
    SqlQuery query =
        new SqlQuery().add("SELECT " + TransferRows.COLUMNS + ", t.line FROM (SELECT a.no, ");
    if (wanted.from() == null) {
      query.add("?::bigint AS low, ", from);
    } else {
      query.add("greatest(?::bigint, " + schema + ".version_at(a.no, n.version, ", from);
      query.add(
          "?::timestamptz - interval '1 microsecond') + 1) AS low, ", SqlQuery.up(wanted.from()));
    }
    if (wanted.to() == null) {
      query.add("9223372036854775807 AS high");
    } else {
      query.add(schema + ".version_at(a.no, n.version, ?) AS high", wanted.to());
    }
    query
        .add(" FROM " + schema + ".account a LEFT JOIN LATERAL ")
        .add(AccountStates.newest(schema))
        .add(" n ON true WHERE a.no = ? OFFSET 0) a CROSS JOIN LATERAL (", no);
    side(query, "debit", wanted);
    query.add(" UNION ALL ");
    side(query, "credit", wanted);
    query.add(" ORDER BY line LIMIT ?) t ", wanted.limit() + 1);
    query.add(accounts()).add(" ORDER BY t.line");
    return ReadSession.ask(
        connection,
        query,
        rows -> {
          List<Transfer> found = new ArrayList<>();
          while (rows.next()) {
            if (found.size() == wanted.limit()) {
              long next = rows.getLong(TransferRows.columnCount() + 1);
              return new Page<>(found, cursor.write(Cursor.Position.of(next)));
            }
            found.add(TransferRows.read(rows).transfer());
          }
          return new Page<>(found, null);
        });
  }

  private void side(SqlQuery query, String side, TransferQuery wanted) {
    query.add(
        "(SELECT t.*, t." + side + "_version AS line FROM " + schema + ".transfer t WHERE t.");
    query.add(side + "_no = a.no AND t." + side + "_version BETWEEN a.low AND a.high");
    if (wanted.code() != null) {
      query.add(" AND coalesce(t.code, 0) = ?", wanted.code());
    }
    query.add(" ORDER BY t." + side + "_version LIMIT ?)", wanted.limit() + 1);
  }

  /**
   * Over the whole ledger. Time is not quite the order of recording (a clock may step back), so the
   * first page looks up which batches the range touches, and the cursor keeps the last of them.
   */
  private Page<Transfer> byTime(Connection connection, TransferQuery wanted, Cursor cursor)
      throws SQLException {
    SqlQuery filter = new SqlQuery();
    narrow(filter, wanted);
    BatchWindows.Range range =
        wanted.cursor() == null
            ? windows.touched(connection, filter)
            : rangeAt(cursor, wanted.cursor());
    List<TransferRows.Stored> found = windows.read(connection, range, filter, wanted.limit() + 1);
    if (found.size() <= wanted.limit()) {
      return page(found, wanted.limit(), cursor);
    }
    TransferRows.Stored next = found.get(wanted.limit());
    List<Long> place = List.of(next.batch(), (long) next.batchIndex(), range.lastBatch());
    return new Page<>(
        transfers(found.subList(0, wanted.limit())),
        cursor.write(new Cursor.Position(place, List.of())));
  }

  private static BatchWindows.Range rangeAt(Cursor cursor, String text) {
    List<Long> numbers = cursor.read(text).numbers();
    if (numbers.size() != 3 || numbers.get(0) < 0 || numbers.get(1) < 0) {
      throw Cursor.unknownPlace();
    }
    return new BatchWindows.Range(numbers.get(0), numbers.get(1), numbers.get(2));
  }

  private static Page<Transfer> page(List<TransferRows.Stored> found, int limit, Cursor cursor) {
    if (found.size() <= limit) {
      return new Page<>(transfers(found), null);
    }
    TransferRows.Stored next = found.get(limit);
    return new Page<>(
        transfers(found.subList(0, limit)),
        cursor.write(Place.position(next.batch(), next.batchIndex())));
  }

  private static List<Transfer> transfers(List<TransferRows.Stored> rows) {
    return rows.stream().map(TransferRows.Stored::transfer).toList();
  }

  Page<Hold> holds(HoldQuery wanted) {
    Cursor cursor = Cursor.of("holds", wanted.account(), wanted.asset(), wanted.dueBy());
    Place from = Place.of(cursor, wanted.cursor());
    return session.with(
        "listing open holds",
        connection -> {
          AccountId account = wanted.account();
          Integer no = account == null ? null : Integer.valueOf(requireNo(connection, account));
          return ReadSession.ask(
              connection,
              holds(wanted, no, from),
              rows -> {
                List<Hold> found = new ArrayList<>();
                while (rows.next()) {
                  TransferRows.Stored stored = TransferRows.read(rows);
                  if (found.size() == wanted.limit()) {
                    String next = cursor.write(Place.position(stored.batch(), stored.batchIndex()));
                    return new Page<>(found, next);
                  }
                  found.add(
                      new Hold(
                          stored.transfer(),
                          Numerics.amountOrZero(rows, TransferRows.columnCount() + 1)));
                }
                return new Page<>(found, null);
              });
        });
  }

  private SqlQuery holds(HoldQuery wanted, @Nullable Integer no, Place from) {
    SqlQuery query = new SqlQuery().add("SELECT " + TransferRows.COLUMNS + ", h.remaining FROM (");
    if (no == null) {
      oneSide(query, null, wanted, null, from);
    } else {
      query.add("(");
      oneSide(query, "debit", wanted, no, from);
      query.add(") UNION ALL (");
      oneSide(query, "credit", wanted, no, from);
      query.add(") ORDER BY batch, batch_index LIMIT ?", wanted.limit() + 1);
    }
    query.add(") h JOIN " + schema + ".transfer t ON t.id = h.id ");
    return query.add(accounts()).add(" ORDER BY h.batch, h.batch_index");
  }

  private void oneSide(
      SqlQuery query, @Nullable String side, HoldQuery wanted, @Nullable Integer no, Place from) {
    query.add("SELECT h.* FROM " + schema + ".hold h");
    if (wanted.asset() != null) {
      query.add(" JOIN " + schema + ".account x ON x.no = h.debit_no");
    }
    query.add(" WHERE (h.batch, h.batch_index) >= (?, ?)", from.batch(), from.index());
    if (wanted.asset() != null) {
      query.add(" AND x.asset = ?", wanted.asset().value());
    }
    if (wanted.dueBy() != null) {
      query.add(" AND h.deadline <= ?", wanted.dueBy());
    }
    if (side != null) {
      query.add(" AND h." + side + "_no = ?", no);
    }
    query.add(" ORDER BY h.batch, h.batch_index LIMIT ?", wanted.limit() + 1);
  }

  /** Joins that {@link TransferRows#COLUMNS} need beside {@code t}. */
  private String accounts() {
    return "JOIN "
        + schema
        + ".account d ON d.no = t.debit_no JOIN "
        + schema
        + ".account c ON c.no = t.credit_no";
  }
}
