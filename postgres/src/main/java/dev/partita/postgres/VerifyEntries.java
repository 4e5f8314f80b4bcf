package dev.partita.postgres;

/**
 * Statements that prove what holds along an account: its entries in order of version, each with the
 * one before it. A range is of account numbers, or of the versions of one account.
 */
final class VerifyEntries {

  /** What a kind does to the posted and the pending counter of the entry's own side. */
  private static final String POSTED = "CASE WHEN x.kind IN (0, 2, 5) THEN x.amount ELSE 0 END";

  private static final String PENDING =
      "CASE x.kind WHEN 1 THEN x.amount WHEN 2 THEN -x.amount - x.released"
          + " WHEN 3 THEN -x.amount WHEN 4 THEN -x.amount ELSE 0 END";

  /** The account's balance in its own sign. */
  private static final String BALANCE =
      "(CASE x.normal WHEN 1 THEN x.cp - x.dp ELSE x.dp - x.cp END)";

  private static final String OWN_PENDING = "(CASE x.side WHEN 0 THEN x.dh ELSE x.ch END)";

  private static final String GAP = "x.v IS DISTINCT FROM coalesce(x.pv, 0) + 1";

  private static final String ORDER =
      "(x.pbatch > x.batch OR (x.pbatch = x.batch AND x.pindex >= x.batch_index))";

  private static final String COUNTERS =
      """
      (x.pv = x.v - 1 OR x.v = 1) AND (
        x.dp <> x.pdp + CASE x.side WHEN 0 THEN x.posted ELSE 0 END
        OR x.cp <> x.pcp + CASE x.side WHEN 1 THEN x.posted ELSE 0 END
        OR x.dh <> x.pdh + CASE x.side WHEN 0 THEN x.pending ELSE 0 END
        OR x.ch <> x.pch + CASE x.side WHEN 1 THEN x.pending ELSE 0 END)\
      """;

  private static final String NEGATIVE = "least(x.dp, x.cp, x.dh, x.ch) < 0";

  private static final String TIME =
      "(x.recorded_at < x.precorded_at OR x.recorded_at < x.opened_at)";

  private static final String ASSETS =
      "(x.account IS NULL OR x.asset IS DISTINCT FROM x.other_asset)";

  private VerifyEntries() {}

  /** Whether the limit of the side that moved is broken, given the limits' columns. */
  private static String limitBroken(String min, String max) {
    return "x.kind IN (0, 1, 5) AND x.amount > 0 AND CASE WHEN x.side <> x.normal THEN "
        + BALANCE
        + " - "
        + OWN_PENDING
        + " < "
        + min
        + " ELSE "
        + BALANCE
        + " + "
        + OWN_PENDING
        + " > "
        + max
        + " END";
  }

  /**
   * The limits of accounts that were never changed are those of their row; the others are proved by
   * {@link #limitDetails}.
   */
  private static final String LIMIT =
      "(x.last_change = 0 AND " + limitBroken("x.min_balance", "x.max_balance") + ")";

  /** The entries of a range and, where it begins within an account, the one before. */
  private static SqlQuery entries(String schema, Range range, long lastBatch) {
    SqlQuery query = new SqlQuery().add("WITH e AS (");
    for (int side = 0; side <= 1; side++) {
      String own = side == 0 ? "debit" : "credit";
      String other = side == 0 ? "credit" : "debit";
      query.add(side == 0 ? "" : " UNION ALL ");
      query.add(
          """
          SELECT t.%1$s_no AS no, t.%1$s_version AS v, %3$d AS side, t.%2$s_no AS other_no,
                 t.batch, t.batch_index, t.id, t.kind, t.amount,
                 coalesce(t.released, 0) AS released, t.recorded_at,
                 coalesce(t.%1$s_debits_posted, 0) AS dp, coalesce(t.%1$s_credits_posted, 0) AS cp,
                 coalesce(t.%1$s_debits_pending, 0) AS dh, coalesce(t.%1$s_credits_pending, 0) AS ch
          FROM %4$s.transfer t WHERE t.batch <= ? AND t.%1$s_no\
          """
              .formatted(own, other, side, schema),
          lastBatch);
      if (range.firstNo() == range.lastNo()) {
        // One account: so that the index gives its part in order.
        query.add(
            " = ? AND t." + own + "_version BETWEEN ? AND ?",
            range.firstNo(),
            range.firstVersion() - 1,
            range.lastVersion());
      } else {
        query.add(" BETWEEN ? AND ?", range.firstNo(), range.lastNo());
      }
    }
    return query.add(")");
  }

  /**
   * A part of all entries.
   *
   * @param firstNo first account number
   * @param lastNo last account number
   * @param firstVersion first version, if it is one account; otherwise all are meant
   * @param lastVersion last version, likewise
   */
  record Range(int firstNo, int lastNo, long firstVersion, long lastVersion) {

    static Range of(int firstNo, int lastNo) {
      return new Range(firstNo, lastNo, 1, Long.MAX_VALUE - 1);
    }
  }

  private static SqlQuery compared(String schema, Range range, long lastBatch) {
    return entries(schema, range, lastBatch)
        .add(
            """
            , p AS (
              SELECT e.*, lag(e.v) OVER w AS pv, coalesce(lag(e.dp) OVER w, 0) AS pdp,
                     coalesce(lag(e.cp) OVER w, 0) AS pcp, coalesce(lag(e.dh) OVER w, 0) AS pdh,
                     coalesce(lag(e.ch) OVER w, 0) AS pch, lag(e.recorded_at) OVER w AS precorded_at,
                     lag(e.batch) OVER w AS pbatch, lag(e.batch_index) OVER w AS pindex,
                     lead(e.v) OVER w IS NULL AS last
              FROM e WINDOW w AS (PARTITION BY e.no ORDER BY e.v)),
            x AS (
              SELECT x.*, a.id AS account, a.asset, a.normal, a.opened_at, a.last_change,
                     a.min_balance, a.max_balance, o.asset AS other_asset,
                     %2$s AS posted, %3$s AS pending,
            """
                .formatted(schema, POSTED, PENDING))
        .add(" x.pv IS NULL AND x.v = ? AS seed FROM p x", range.firstVersion() - 1)
        .add(" LEFT JOIN " + schema + ".account a ON a.no = x.no")
        .add(" LEFT JOIN " + schema + ".account o ON o.no = x.other_no) ");
  }

  private static String bad() {
    return "NOT x.seed AND ("
        + String.join(" OR ", GAP, ORDER, "(" + COUNTERS + ")", NEGATIVE, TIME, ASSETS, LIMIT)
        + ")";
  }

  /**
   * Per asset: entries, the sums of the last states' four counters, and how many entries are bad.
   * Entries of one account end with its last state if the range does.
   */
  static SqlQuery summary(String schema, Range range, long lastBatch) {
    return compared(schema, range, lastBatch)
        .add(
            """
            SELECT x.asset, count(*) FILTER (WHERE NOT x.seed),
                   sum(x.dp) FILTER (WHERE x.last), sum(x.cp) FILTER (WHERE x.last),
                   sum(x.dh) FILTER (WHERE x.last), sum(x.ch) FILTER (WHERE x.last),
                   count(*) FILTER (WHERE\
            """)
        .add(" " + bad() + ") FROM x GROUP BY x.asset");
  }

  /** Invariant, subject and detail of each bad entry. */
  static SqlQuery details(String schema, Range range, long lastBatch, int limit) {
    return compared(schema, range, lastBatch)
        .add("SELECT d.invariant, coalesce(x.account, 'account number ' || x.no), d.detail")
        .add(" FROM x CROSS JOIN LATERAL (VALUES ")
        .add("(3, CASE WHEN " + GAP + " THEN format('version %s follows version %s', x.v,")
        .add(" coalesce(x.pv, 0)) END), ")
        .add("(3, CASE WHEN " + ORDER + " THEN format('version %s, transfer %s, was recorded in")
        .add(" batch %s at %s, before version %s in batch %s at %s', x.v, x.id, x.batch,")
        .add(" x.batch_index, x.pv, x.pbatch, x.pindex) END), ")
        .add("(3, CASE WHEN " + COUNTERS + " THEN format('version %s, transfer %s: counters")
        .add(" (debits and credits posted, debits and credits pending) are %s %s %s %s, expected")
        .add(" %s %s %s %s', x.v, x.id, x.dp, x.cp, x.dh, x.ch,")
        .add(" x.pdp + CASE x.side WHEN 0 THEN x.posted ELSE 0 END,")
        .add(" x.pcp + CASE x.side WHEN 1 THEN x.posted ELSE 0 END,")
        .add(" x.pdh + CASE x.side WHEN 0 THEN x.pending ELSE 0 END,")
        .add(" x.pch + CASE x.side WHEN 1 THEN x.pending ELSE 0 END) END), ")
        .add("(3, CASE WHEN " + NEGATIVE + " THEN format('version %s, transfer %s: a counter is")
        .add(" negative', x.v, x.id) END), ")
        .add("(4, CASE WHEN " + LIMIT + " THEN " + limitText("x.min_balance", "x.max_balance"))
        .add(" END), ")
        .add("(7, CASE WHEN " + TIME + " THEN format('version %s, transfer %s: recorded at %s,")
        .add(" earlier than %s', x.v, x.id, x.recorded_at,")
        .add(" greatest(x.precorded_at, x.opened_at)) END), ")
        .add("(7, CASE WHEN x.account IS NULL THEN format('transfer %s is on account number %s,")
        .add(" which does not exist', x.id, x.no) WHEN " + ASSETS + " THEN format('version %s,")
        .add(" transfer %s: the account has asset %s, the other one %s', x.v, x.id, x.asset,")
        .add(" coalesce(x.other_asset, 'does not exist')) END)) d(invariant, detail)")
        .add(" WHERE NOT x.seed AND d.detail IS NOT NULL ORDER BY x.no, x.v LIMIT ?", limit);
  }

  private static String limitText(String min, String max) {
    return "format('version %s, transfer %s leaves %s, the limit then was %s', x.v, x.id,"
        + " CASE WHEN x.side <> x.normal THEN "
        + BALANCE
        + " - "
        + OWN_PENDING
        + " ELSE "
        + BALANCE
        + " + "
        + OWN_PENDING
        + " END, CASE WHEN x.side <> x.normal THEN "
        + min
        + " ELSE "
        + max
        + " END)";
  }

  /**
   * Invariant 4 for the accounts of a range that were changed: changes are put between the entries
   * where they took effect, and counting them gives the number of the change in force.
   */
  static SqlQuery limitDetails(String schema, Range range, long lastBatch, int limit) {
    return entries(schema, range, lastBatch)
        .add(
            """
            , c AS (SELECT a.no, a.id, a.normal FROM %1$s.account a
                    WHERE a.last_change > 0 AND a.no BETWEEN ? AND ?),
            ev AS (
              SELECT e.no, e.v, 0 AS is_change, e.id, e.kind, e.side, e.amount, e.dp, e.cp, e.dh, e.ch
              FROM e WHERE e.v >= ?
              UNION ALL
              SELECT y.account_no, greatest(y.after_version, ? - 1), 1, NULL, NULL, NULL, NULL, NULL,
                     NULL, NULL, NULL
              FROM c JOIN %1$s.account_change y ON y.account_no = c.no AND y.after_version < ?),
            n AS (
              SELECT ev.*, sum(ev.is_change) OVER (PARTITION BY ev.no ORDER BY ev.v, ev.is_change
                                                   ROWS UNBOUNDED PRECEDING) AS number
              FROM ev),
            x AS (
              SELECT n.*, c.id AS account, c.normal,
                     CASE n.number WHEN 0 THEN f.old_min_balance ELSE f.min_balance END AS min_then,
                     CASE n.number WHEN 0 THEN f.old_max_balance ELSE f.max_balance END AS max_then
              FROM n JOIN c ON c.no = n.no
              JOIN %1$s.account_change f ON f.account_no = n.no AND f.number = greatest(n.number, 1)
              WHERE n.is_change = 0)
            SELECT 4, x.account,
            """
                .formatted(schema),
            range.firstNo(),
            range.lastNo(),
            range.firstVersion(),
            range.firstVersion(),
            range.lastVersion())
        .add(limitText("x.min_then", "x.max_then"))
        .add(" FROM x WHERE " + limitBroken("x.min_then", "x.max_then"))
        .add(" ORDER BY x.no, x.v LIMIT ?", limit);
  }
}
