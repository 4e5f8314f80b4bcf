package dev.partita.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads records of the whole ledger in the order of recording. There is only a block range index
 * over batches, since a full one would cost every write, so this reads windows of consecutive
 * batches and sorts each. Each window is four times as wide as the one before it. Safe for use by
 * several threads.
 */
final class BatchWindows {

  /** Windows read for one page at most in one go, so that gaps cannot keep it busy for ever. */
  private static final long WINDOW_MAX = 1L << 40;

  /** A guess: a batch may hold one record or thousands, so the first windows are narrow. */
  private static final long BATCH_TRANSFERS = 8;

  private static final long FIRST_WINDOW_MAX = 64;

  private final String schema;

  BatchWindows(String schema) {
    this.schema = schema;
  }

  /**
   * A part of the order of recording, both ends inclusive.
   *
   * @param batch the batch it begins in
   * @param index the place in that batch it begins at
   * @param lastBatch the batch it ends with
   */
  record Range(long batch, long index, long lastBatch) {}

  /** The batches that have records a filter lets through; an empty range if none has. */
  Range touched(Connection connection, SqlQuery filter) throws SQLException {
    SqlQuery query =
        new SqlQuery()
            .add("SELECT coalesce(min(t.batch), 1), coalesce(max(t.batch), 0) FROM " + schema)
            .add(".transfer t WHERE true")
            .add(filter);
    return ReadSession.ask(
        connection,
        query,
        rows -> {
          rows.next();
          return new Range(rows.getLong(1), 0, rows.getLong(2));
        });
  }

  /** Up to {@code count} records of a range that a filter lets through, in order. */
  List<TransferRows.Stored> read(Connection connection, Range range, SqlQuery filter, int count)
      throws SQLException {
    List<TransferRows.Stored> found = new ArrayList<>();
    long batch = range.batch();
    long index = range.index();
    long width = Math.clamp(count / BATCH_TRANSFERS, 1, FIRST_WINDOW_MAX);
    while (batch <= range.lastBatch() && found.size() < count) {
      long end = Math.min(range.lastBatch(), batch + width - 1);
      int wanted = count - found.size();
      List<TransferRows.Stored> window =
          ReadSession.ask(
              connection,
              window(new Range(batch, index, end), filter, wanted),
              BatchWindows::readAll);
      found.addAll(window);
      batch = end + 1;
      index = 0;
      width = Math.min(width * 4, WINDOW_MAX);
    }
    return found;
  }

  private SqlQuery window(Range range, SqlQuery filter, int count) {
    return new SqlQuery()
        .add("SELECT " + TransferRows.COLUMNS + " FROM (SELECT * FROM " + schema)
        .add(".transfer t WHERE t.batch BETWEEN ? AND ?", range.batch(), range.lastBatch())
        .add(" AND (t.batch, t.batch_index) >= (?, ?)", range.batch(), range.index())
        .add(filter)
        .add(" ORDER BY t.batch, t.batch_index LIMIT ?) t JOIN " + schema, count)
        .add(".account d ON d.no = t.debit_no JOIN " + schema)
        .add(".account c ON c.no = t.credit_no ORDER BY t.batch, t.batch_index");
  }

  static List<TransferRows.Stored> readAll(ResultSet rows) throws SQLException {
    List<TransferRows.Stored> found = new ArrayList<>();
    while (rows.next()) {
      found.add(TransferRows.read(rows));
    }
    return found;
  }
}
