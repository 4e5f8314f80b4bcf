package dev.partita.postgres;

import java.util.UUID;

/**
 * Statements that prove what records, holds and groups say of each other. Records are taken by
 * ranges of the table's pages: they never move, and no index is needed to find them.
 */
final class VerifyRecords {

  private VerifyRecords() {}

  /**
   * Invariants 2 and 5 for the records of a range of pages, and, in a row with invariant 0, how
   * many there are. Holds and resolutions are read in the same statement, since they move.
   */
  static SqlQuery records(String schema, long firstPage, long endPage, long lastBatch, int limit) {
    SqlQuery query =
        new SqlQuery()
            .add("WITH r AS MATERIALIZED (SELECT t.id, t.kind, t.batch, t.batch_index, t.debit_no,")
            .add(
                " t.credit_no, t.amount, t.released, t.related_id, t.recorded_at, t.timeout_seconds,")
            .add(" t.group_id, t.group_index, t.group_size, t.flags")
            .add(" FROM " + schema + ".transfer t WHERE t.batch <= ?", lastBatch)
            .add(" AND t.ctid >= ?::tid AND t.ctid < ?::tid)", tid(firstPage), tid(endPage))
            .add(" SELECT 0, NULL::text, count(*)::text FROM r UNION ALL (SELECT * FROM (");
    query.add(pairs(schema)).add(" UNION ALL ");
    query.add(sums(schema)).add(" UNION ALL ");
    query.add(openHolds(schema)).add(") v WHERE v.detail IS NOT NULL LIMIT ?)", limit);
    return query;
  }

  private static String tid(long page) {
    return "(" + page + ",0)";
  }

  /** Each record with the one it names. */
  private static String pairs(String schema) {
    return """
      SELECT 5 AS invariant, r.id::text AS subject, CASE
        WHEN r.kind IN (0, 1) THEN
          CASE WHEN r.related_id IS NOT NULL
               THEN format('a DIRECT or PENDING names a related record, %%s', r.related_id) END
        WHEN o.id IS NULL THEN
          format('names %%s, which is not recorded', coalesce(r.related_id::text, 'no record'))
        WHEN (o.batch, o.batch_index) >= (r.batch, r.batch_index) THEN
          format('names %%s, which is recorded later', o.id)
        WHEN (r.kind = 5 AND o.kind NOT IN (0, 2)) OR (r.kind <> 5 AND o.kind <> 1) THEN
          format('is of kind %%s and names %%s, which is of kind %%s', r.kind, o.id, o.kind)
        WHEN (r.kind = 5 AND (r.debit_no, r.credit_no) IS DISTINCT FROM (o.credit_no, o.debit_no))
          OR (r.kind <> 5 AND (r.debit_no, r.credit_no) IS DISTINCT FROM (o.debit_no, o.credit_no))
          THEN format('is not on the accounts of %%s', o.id)
        WHEN r.kind <> 2 AND coalesce(r.released, 0) <> 0 THEN
          format('released %%s, which only a POST may', r.released)
        WHEN r.kind = 4 AND o.timeout_seconds IS NULL THEN
          format('ends hold %%s, which does not expire', o.id)
        WHEN r.kind = 4 AND r.recorded_at < o.recorded_at + make_interval(secs => o.timeout_seconds)
          THEN format('expired hold %%s at %%s, before its deadline', o.id, r.recorded_at)
        WHEN r.kind IN (2, 3)
         AND r.recorded_at >= o.recorded_at + make_interval(secs => o.timeout_seconds)
          THEN format('resolved hold %%s at %%s, not before its deadline', o.id, r.recorded_at)
        END AS detail
      FROM r LEFT JOIN %1$s.transfer o ON o.id = r.related_id
      WHERE r.kind > 1 OR r.related_id IS NOT NULL\
      """
        .formatted(schema);
  }

  /** Everything that names the same record, added up. */
  private static String sums(String schema) {
    return """
      SELECT 5, s.id::text, CASE
        WHEN s.ends > 1 THEN format('was ended %%s times', s.ends)
        WHEN s.used > s.amount THEN
          format('has an amount of %%s, of which %%s were resolved or reversed', s.amount, s.used)
        WHEN s.ends = 1 AND s.used <> s.amount THEN
          format('has an amount of %%s and has ended, but %%s were resolved or reversed', s.amount,
                 s.used)
        WHEN s.ends = 0 AND s.used = s.amount THEN
          format('has an amount of %%s, all of it resolved or reversed, but has not ended', s.amount)
        WHEN s.ends = 1 AND NOT s.newest_ends THEN 'was resolved or reversed after its end'
        END
      FROM (
        SELECT o.id, o.amount, sum(x.amount + coalesce(x.released, 0)) AS used,
               count(*) FILTER (WHERE x.flags & 128 <> 0) AS ends,
               (array_agg(x.flags & 128 <> 0 ORDER BY x.batch DESC, x.batch_index DESC))[1]
                 AS newest_ends
        FROM (SELECT DISTINCT r.related_id FROM r WHERE r.kind > 1) d
        JOIN %1$s.transfer o ON o.id = d.related_id
        JOIN %1$s.transfer x ON x.related_id = o.id
        GROUP BY o.id, o.amount) s\
      """
        .formatted(schema);
  }

  /** Each hold's record with what resolved it and the row that says what is left. */
  private static String openHolds(String schema) {
    return """
      SELECT 2, r.id::text, CASE
        WHEN s.ended AND h.id IS NOT NULL THEN
          format('the hold has ended, but is open with %%s', h.remaining)
        WHEN NOT s.ended AND h.id IS NULL THEN
          format('the hold has not ended, but is not open; %%s remain', r.amount - s.used)
        WHEN h.id IS NULL THEN NULL
        WHEN h.remaining <> r.amount - s.used THEN
          format('of the hold %%s remain, expected %%s', h.remaining, r.amount - s.used)
        WHEN (h.batch, h.batch_index, h.debit_no, h.credit_no)
               IS DISTINCT FROM (r.batch, r.batch_index, r.debit_no, r.credit_no)
          THEN 'the open hold names other accounts or another batch than its record'
        WHEN h.deadline IS DISTINCT FROM
               r.recorded_at + make_interval(secs => r.timeout_seconds)
          THEN format('the open hold has deadline %%s, expected %%s', coalesce(h.deadline::text, 'none'),
                      coalesce((r.recorded_at + make_interval(secs => r.timeout_seconds))::text,
                               'none'))
        END
      FROM r CROSS JOIN LATERAL (
        SELECT coalesce(sum(x.amount + coalesce(x.released, 0)), 0) AS used,
               coalesce(bool_or(x.flags & 128 <> 0), false) AS ended
        FROM %1$s.transfer x WHERE x.related_id = r.id AND x.kind IN (2, 3, 4)) s
      LEFT JOIN %1$s.hold h ON h.id = r.id
      WHERE r.kind = 1\
      """
        .formatted(schema);
  }

  /** Invariant 2: open holds without a record. In a row with invariant 0, where the chunk ends. */
  static SqlQuery holds(String schema, long batch, long index, int count, int limit) {
    return new SqlQuery()
        .add(
            "WITH h AS MATERIALIZED (SELECT h.id, h.batch, h.batch_index, h.remaining FROM "
                + schema)
        .add(".hold h WHERE (h.batch, h.batch_index) > (?, ?)", batch, index)
        .add(" ORDER BY h.batch, h.batch_index LIMIT ?)", count)
        .add(
            """
             SELECT 0, (SELECT z.batch || ' ' || z.batch_index FROM h z
                       ORDER BY z.batch DESC, z.batch_index DESC LIMIT 1), count(*)::text FROM h
            UNION ALL (
              SELECT 2, h.id::text, format('a hold of %%s is open, but its record is %%s', h.remaining,
                CASE WHEN t.id IS NULL THEN 'missing' ELSE 'of kind ' || t.kind END)
              FROM h LEFT JOIN %1$s.transfer t ON t.id = h.id
              WHERE t.kind IS DISTINCT FROM 1 LIMIT ?)\
            """
                .formatted(schema),
            limit);
  }

  /**
   * Invariant 6. In a row with invariant 0, the last group of the chunk, which it does not prove.
   */
  static SqlQuery groups(String schema, UUID after, int count, int limit) {
    return new SqlQuery()
        .add(
            "WITH m AS (SELECT t.group_id, t.group_index, t.group_size, t.batch, t.batch_index FROM ")
        .add(schema + ".transfer t WHERE t.group_id >= ?", after)
        .add(" ORDER BY t.group_id, t.group_index LIMIT ?), ", count)
        .add(
            """
            g AS MATERIALIZED (
              SELECT m.group_id, count(*) AS members, min(m.group_size) AS size,
                     max(m.group_size) AS size_max, min(m.group_index) AS first,
                     max(m.group_index) AS last, min(m.batch) AS batch, max(m.batch) AS batch_max,
                     max(m.batch_index - m.group_index) - min(m.batch_index - m.group_index) AS spread
              FROM m GROUP BY m.group_id),
            l AS (SELECT sum(g.members) AS members,
                         (SELECT z.group_id FROM g z ORDER BY z.group_id DESC LIMIT 1) AS group_id
                  FROM g)
            SELECT 0, l.group_id::text, coalesce(l.members, 0)::text FROM l
            UNION ALL (
              SELECT 6, g.group_id::text, CASE
                WHEN g.size <> g.size_max THEN
                  format('its members say that it has %s and %s members', g.size, g.size_max)
                WHEN g.members <> g.size OR g.first <> 0 OR g.last <> g.size - 1 THEN
                  format('it has %s of %s members, with indexes %s to %s', g.members, g.size, g.first,
                         g.last)
                WHEN g.batch <> g.batch_max THEN
                  format('it was recorded in batches %s and %s', g.batch, g.batch_max)
                ELSE format('its members do not follow each other in batch %s', g.batch) END
              FROM g, l
              WHERE (g.group_id <> l.group_id OR l.members < ?)
                AND (g.size <> g.size_max OR g.members <> g.size OR g.first <> 0
                     OR g.last <> g.size - 1 OR g.batch <> g.batch_max OR g.spread <> 0)
              LIMIT ?)\
            """,
            count, limit);
  }
}
