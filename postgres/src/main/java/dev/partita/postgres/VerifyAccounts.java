package dev.partita.postgres;

/**
 * Statements that prove what accounts' rows, holds and changes say, by ranges of account numbers.
 */
final class VerifyAccounts {

  private VerifyAccounts() {}

  /**
   * The accounts from a number on: number, id, newest version, whether it was ever changed, and
   * what its pending counters are beside what its open holds come to. One statement, since all of
   * this moves.
   */
  static SqlQuery states(String schema, int firstNo, int lastNo, int limit) {
    return new SqlQuery()
        .add(
            """
            SELECT a.no, a.id, coalesce(n.version, 0), a.last_change > 0,
                   coalesce(n.dh, 0) = d.held AND coalesce(n.ch, 0) = c.held,
                   format('debits and credits pending are %s %s, open holds come to %s %s',
                          coalesce(n.dh, 0), coalesce(n.ch, 0), d.held, c.held)
            """)
        .add(" FROM (SELECT * FROM " + schema)
        .add(".account x WHERE x.no BETWEEN ? AND ? ORDER BY x.no LIMIT ?", firstNo, lastNo, limit)
        .add(") a LEFT JOIN LATERAL ")
        .add(AccountStates.newest(schema))
        .add(
            """
             n ON true
            CROSS JOIN LATERAL (SELECT coalesce(sum(h.remaining), 0) AS held
                                FROM %1$s.hold h WHERE h.debit_no = a.no) d
            CROSS JOIN LATERAL (SELECT coalesce(sum(h.remaining), 0) AS held
                                FROM %1$s.hold h WHERE h.credit_no = a.no) c
            ORDER BY a.no\
            """
                .formatted(schema));
  }

  /** Invariant 7 for the changes of a range of accounts. */
  static SqlQuery changes(String schema, int firstNo, int lastNo, int limit) {
    return new SqlQuery()
        .add(
            """
            WITH c AS (
              SELECT y.*, lag(y.number) OVER w AS pnumber, lag(y.recorded_at) OVER w AS precorded_at,
                     lag(y.after_version) OVER w AS pafter, lag(y.closed) OVER w AS pclosed,
                     lag(y.min_balance) OVER w AS pmin, lag(y.max_balance) OVER w AS pmax,
                     lag(y.metadata) OVER w AS pmetadata, lead(y.number) OVER w IS NULL AS last
              FROM %1$s.account_change y WHERE y.account_no BETWEEN ? AND ?
              WINDOW w AS (PARTITION BY y.account_no ORDER BY y.number)),
            x AS (
              SELECT a.no, a.id, a.opened_at, a.closed_at, a.last_change, a.min_balance AS amin,
                     a.max_balance AS amax, a.metadata AS ametadata,
                     coalesce(n.version, 0) AS version, c.*
              FROM (SELECT * FROM %1$s.account x WHERE x.no BETWEEN ? AND ?) a
              LEFT JOIN c ON c.account_no = a.no LEFT JOIN LATERAL
            """
                .formatted(schema),
            firstNo,
            lastNo,
            firstNo,
            lastNo)
        .add(" " + AccountStates.newest(schema))
        .add(
            """
             n ON c.number IS NOT NULL)
            SELECT 7, x.id, d.detail FROM x
            """)
        .add(
            """
             LEFT JOIN LATERAL (SELECT
               coalesce((SELECT t.batch FROM %1$s.transfer t
                         WHERE t.debit_no = x.no AND t.debit_version = x.after_version),
                        (SELECT t.batch FROM %1$s.transfer t
                         WHERE t.credit_no = x.no AND t.credit_version = x.after_version)) AS before,
               coalesce((SELECT t.batch FROM %1$s.transfer t
                         WHERE t.debit_no = x.no AND t.debit_version = x.after_version + 1),
                        (SELECT t.batch FROM %1$s.transfer t
                         WHERE t.credit_no = x.no AND t.credit_version = x.after_version + 1))
                 AS later) b ON x.number IS NOT NULL
            """
                .formatted(schema))
        .add(
            """
             CROSS JOIN LATERAL (VALUES
              (CASE WHEN x.batch < b.before OR x.batch >= b.later
                    THEN format('change %s is in batch %s, not between those of versions %s and %s',
                                x.number, x.batch, x.after_version, x.after_version + 1) END),
              (CASE WHEN x.number IS NULL AND (x.last_change <> 0 OR x.closed_at IS NOT NULL)
                    THEN format('has no changes, but says that its last is %s%s', x.last_change,
                                CASE WHEN x.closed_at IS NULL THEN '' ELSE ', and is closed' END) END),
              (CASE WHEN x.number <> coalesce(x.pnumber, 0) + 1
                    THEN format('change %s follows change %s', x.number, coalesce(x.pnumber, 0)) END),
              (CASE WHEN x.last AND x.number <> x.last_change
                    THEN format('its last change is %s, it says %s', x.number, x.last_change) END),
              (CASE WHEN x.last AND (
                           (x.min_balance, x.max_balance, x.metadata)
                             IS DISTINCT FROM (x.amin, x.amax, x.ametadata)
                           OR x.closed IS DISTINCT FROM (x.closed_at IS NOT NULL))
                    THEN format('after its last change, %s, limits are %s … %s, metadata %s, closed %s;'
                                ' it has %s … %s, %s, %s', x.number,
                                coalesce(x.min_balance::text, 'none'),
                                coalesce(x.max_balance::text, 'none'),
                                left(coalesce(x.metadata::text, 'none'), 200), x.closed,
                                coalesce(x.amin::text, 'none'), coalesce(x.amax::text, 'none'),
                                left(coalesce(x.ametadata::text, 'none'), 200),
                                x.closed_at IS NOT NULL) END),
              (CASE WHEN x.pnumber IS NOT NULL
                     AND (x.old_min_balance, x.old_max_balance, x.old_metadata, x.was_closed)
                           IS DISTINCT FROM (x.pmin, x.pmax, x.pmetadata, x.pclosed)
                    THEN format('change %s does not begin where change %s ends', x.number,
                                x.pnumber) END),
              (CASE WHEN x.recorded_at < greatest(x.precorded_at, x.opened_at)
                    THEN format('change %s was recorded at %s, earlier than %s', x.number,
                                x.recorded_at, greatest(x.precorded_at, x.opened_at)) END),
              (CASE WHEN x.after_version < x.pafter OR x.after_version > x.version
                    THEN format('change %s took effect after version %s; the change before after %s,'
                                ' and there are %s', x.number, x.after_version,
                                coalesce(x.pafter, 0), x.version) END)
            ) d(detail) WHERE d.detail IS NOT NULL ORDER BY x.no, x.number LIMIT ?\
            """,
            limit);
  }
}
