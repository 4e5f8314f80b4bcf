package dev.partita.postgres;

import dev.partita.AccountId;
import dev.partita.CorruptionException;
import dev.partita.Entry;
import dev.partita.MisuseException;
import dev.partita.Page;
import dev.partita.Side;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.UnknownAccountException;
import dev.partita.rules.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads transfers by their ids and accounts' statements. */
final class TransferReads {

  private static final int IDS_MAX = 10_000;

  private final ReadSession session;
  private final String schema;

  TransferReads(ReadSession session, String schema) {
    this.session = session;
    this.schema = schema;
  }

  List<Transfer> transfers(List<UUID> ids) {
    if (ids.size() > IDS_MAX) {
      throw new MisuseException("ids", "at most 10,000 at once, were " + ids.size());
    }
    StringBuilder list = new StringBuilder("{");
    for (UUID id : ids) {
      list.append(list.length() == 1 ? "" : ",").append(id);
    }
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + TransferRows.COLUMNS + " FROM ")
            .add("unnest(?::uuid[]) WITH ORDINALITY u(id, place) ", list.append('}').toString())
            .add("JOIN " + schema + ".transfer t ON t.id = u.id ")
            .add(accounts())
            .add(" ORDER BY u.place");
    return session.ask(
        "reading transfers",
        query,
        rows -> {
          List<Transfer> found = new ArrayList<>();
          while (rows.next()) {
            found.add(TransferRows.read(rows).transfer());
          }
          return found;
        });
  }

  /** Joins that {@link TransferRows#COLUMNS} need beside {@code t}. */
  private String accounts() {
    return "JOIN "
        + schema
        + ".account d ON d.no = t.debit_no JOIN "
        + schema
        + ".account c ON c.no = t.credit_no";
  }

  /** Where a page of a statement lies. */
  private record Lines(boolean newestFirst, @Nullable Long from, int limit) {

    /** The first version of the page in the way it is read. */
    long first(long last) {
      return from != null ? from : newestFirst ? last : 1;
    }

    /** How many lines the page has. */
    long count(long last) {
      long left = newestFirst ? first(last) : last - first(last) + 1;
      return Math.min(left, limit);
    }

    /** The version that the next page begins with, or 0. */
    long next(long last) {
      long next = first(last) + (newestFirst ? -count(last) : count(last));
      return next > last ? 0 : next;
    }
  }

  Page<Entry> statement(StatementQuery wanted) {
    AccountId id = wanted.account();
    Cursor cursor = Cursor.of("statement", id, wanted.newestFirst());
    Long from =
        wanted.cursor() == null
            ? null
            : Long.valueOf(cursor.readNumber(wanted.cursor(), 1, Long.MAX_VALUE));
    Lines lines = new Lines(wanted.newestFirst(), from, wanted.limit());
    return session.ask(
        "reading the statement of " + id,
        statement(id, lines),
        rows -> {
          if (!rows.next()) {
            throw new UnknownAccountException(id);
          }
          long last = rows.getLong(TransferRows.columnCount() + 1);
          if (from != null && from > last) {
            throw Cursor.unknownPlace();
          }
          List<Entry> entries = new ArrayList<>();
          do {
            int side = rows.getInt(TransferRows.columnCount() + 2);
            if (!rows.wasNull()) {
              entries.add(new Entry(TransferRows.read(rows).transfer(), TransferRows.side(side)));
            }
          } while (rows.next());
          requireGapless(id, entries, lines, last);
          long next = lines.next(last);
          return new Page<>(entries, next == 0 ? null : cursor.write(Cursor.Position.of(next)));
        });
  }

  private SqlQuery statement(AccountId id, Lines lines) {
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + TransferRows.COLUMNS + ", a.last, t.side FROM (SELECT a.no, ")
            .add("coalesce(n.version, 0) AS last, ");
    if (lines.newestFirst()) {
      String high = "coalesce(?::bigint, n.version, 0)";
      query.add(high + " - ? + 1 AS low, ", lines.from(), lines.limit());
      query.add(high + " AS high", lines.from());
    } else {
      long low = lines.first(0);
      query.add("?::bigint AS low, ?::bigint AS high", low, low + lines.limit() - 1);
    }
    query
        .add(" FROM " + schema + ".account a LEFT JOIN LATERAL ")
        .add(AccountStates.newest(schema))
        .add(" n ON true WHERE a.id = ?) a LEFT JOIN LATERAL (", id.value());
    for (Side side : Side.values()) {
      String name = side == Side.DEBIT ? "debit" : "credit";
      query.add(side == Side.DEBIT ? "" : " UNION ALL ");
      query.add("SELECT t.*, t." + name + "_version AS line, " + TransferRows.stored(side));
      query.add(" AS side FROM " + schema + ".transfer t WHERE t." + name + "_no = a.no AND t.");
      query.add(name + "_version BETWEEN a.low AND a.high");
    }
    return query
        .add(") t ON true LEFT JOIN " + schema + ".account d ON d.no = t.debit_no")
        .add(" LEFT JOIN " + schema + ".account c ON c.no = t.credit_no")
        .add(" ORDER BY t.line" + (lines.newestFirst() ? " DESC" : ""));
  }

  private static void requireGapless(AccountId id, List<Entry> entries, Lines lines, long last) {
    long expected = lines.first(last);
    for (Entry entry : entries) {
      if (entry.version() != expected) {
        break;
      }
      expected += lines.newestFirst() ? -1 : 1;
    }
    if (entries.size() != lines.count(last)
        || Math.abs(expected - lines.first(last)) != entries.size()) {
      throw new CorruptionException(
          "account " + id + " has " + last + " records, but none of version " + expected);
    }
  }
}
