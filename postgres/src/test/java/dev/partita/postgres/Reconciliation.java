package dev.partita.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Adds up what is stored in plain SQL, without any code of the ledger, and says what is wrong. */
final class Reconciliation {

  /** Both lines of every record, with what the record should have done to that side. */
  private static final String ENTRIES =
      """
      CREATE TEMPORARY VIEW entry AS
      SELECT t.id, t.batch, t.recorded_at, t.kind, l.*,
             CASE WHEN t.kind IN (0, 2, 5) THEN t.amount ELSE 0 END AS posted,
             CASE t.kind WHEN 1 THEN t.amount WHEN 2 THEN -t.amount - coalesce(t.released, 0)
                         WHEN 3 THEN -t.amount WHEN 4 THEN -t.amount ELSE 0 END AS pending
      FROM %s.transfer t CROSS JOIN LATERAL (VALUES
        (t.debit_no, t.debit_version, true, coalesce(t.debit_debits_posted, 0),
         coalesce(t.debit_credits_posted, 0), coalesce(t.debit_debits_pending, 0),
         coalesce(t.debit_credits_pending, 0)),
        (t.credit_no, t.credit_version, false, coalesce(t.credit_debits_posted, 0),
         coalesce(t.credit_credits_posted, 0), coalesce(t.credit_debits_pending, 0),
         coalesce(t.credit_credits_pending, 0)))
        AS l (no, version, is_debit, dp, cp, dh, ch);
      CREATE TEMPORARY VIEW chain AS
      SELECT *, lag(version, 1, 0::bigint) OVER w AS before,
             lag(dp, 1, 0) OVER w AS dp0, lag(cp, 1, 0) OVER w AS cp0, lag(dh, 1, 0) OVER w AS dh0,
             lag(ch, 1, 0) OVER w AS ch0, lag(recorded_at) OVER w AS recorded_before,
             lag(batch) OVER w AS batch_before, lead(version) OVER w AS after
      FROM entry WINDOW w AS (PARTITION BY no ORDER BY version)
      """;

  private static final List<String> CHECKS =
      List.of(
          "SELECT 'version gap', no, version FROM chain WHERE version <> before + 1",
          """
          SELECT 'counters do not follow', no, version FROM chain
          WHERE dp <> dp0 + CASE WHEN is_debit THEN posted ELSE 0 END
             OR cp <> cp0 + CASE WHEN is_debit THEN 0 ELSE posted END
             OR dh <> dh0 + CASE WHEN is_debit THEN pending ELSE 0 END
             OR ch <> ch0 + CASE WHEN is_debit THEN 0 ELSE pending END
          """,
          """
          SELECT 'time or batch falls', no, version FROM chain
          WHERE recorded_at < recorded_before OR batch < batch_before
          """,
          """
          SELECT 'out of balance', a.asset, sum(dp - cp), sum(dh - ch)
          FROM chain c JOIN %s.account a ON a.no = c.no WHERE c.after IS NULL
          GROUP BY a.asset HAVING sum(dp - cp) <> 0 OR sum(dh - ch) <> 0
          """,
          """
          SELECT 'minimum broken', c.no, c.version FROM chain c JOIN %s.account a ON a.no = c.no
          WHERE a.last_change = 0 AND c.kind IN (0, 1, 5) AND c.posted + c.pending > 0
            AND c.is_debit = (a.normal = 1)
            AND a.min_balance > CASE a.normal WHEN 1 THEN cp - dp - dh ELSE dp - cp - ch END
          """,
          """
          SELECT 'maximum broken', c.no, c.version FROM chain c JOIN %s.account a ON a.no = c.no
          WHERE a.last_change = 0 AND c.kind IN (0, 1, 5) AND c.posted + c.pending > 0
            AND c.is_debit = (a.normal = 0)
            AND a.max_balance < CASE a.normal WHEN 1 THEN cp - dp + ch ELSE dp - cp + dh END
          """,
          """
          SELECT 'hold is wrong', coalesce(h.id, p.id), h.remaining, p.remaining
          FROM %s.hold h FULL JOIN (
            SELECT p.id, p.amount - coalesce(sum(r.amount + coalesce(r.released, 0)), 0) AS remaining
            FROM %s.transfer p
            LEFT JOIN %s.transfer r ON r.related_id = p.id AND r.kind IN (2, 3, 4)
            WHERE p.kind = 1 GROUP BY p.id, p.amount
            HAVING NOT coalesce(bool_or((r.flags & 128) <> 0), false)) p ON p.id = h.id
          WHERE h.remaining IS DISTINCT FROM p.remaining
          """,
          """
          SELECT 'resolved too often', p.id, count(*) FROM %s.transfer p
          JOIN %s.transfer r ON r.related_id = p.id AND (r.flags & 128) <> 0
          GROUP BY p.id, r.kind = 5 HAVING count(*) > 1
          """,
          """
          SELECT 'resolved too much', p.id FROM %s.transfer p
          JOIN %s.transfer r ON r.related_id = p.id
          GROUP BY p.id, p.amount, r.kind = 5
          HAVING sum(r.amount + coalesce(r.released, 0)) > p.amount
          """,
          """
          SELECT 'group is not whole', group_id FROM %s.transfer WHERE group_id IS NOT NULL
          GROUP BY group_id
          HAVING count(*) <> max(group_size) OR min(group_size) <> max(group_size)
              OR min(batch) <> max(batch) OR max(group_index) <> count(*) - 1
          """,
          """
          SELECT 'last change is wrong', a.no FROM %s.account a
          LEFT JOIN %s.account_change c ON c.account_no = a.no
          GROUP BY a.no, a.last_change
          HAVING a.last_change <> count(c.number) OR a.last_change <> coalesce(max(c.number), 0)
          """);

  private Reconciliation() {}

  /** What is wrong; empty if everything adds up. */
  static List<String> of(DataSource owner, String schema) {
    List<String> wrong = new ArrayList<>();
    try (Connection connection = owner.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        statement.execute(ENTRIES.replace("%s", schema));
        for (String check : CHECKS) {
          try (ResultSet rows = statement.executeQuery(check.replace("%s", schema))) {
            while (rows.next()) {
              StringBuilder row = new StringBuilder();
              for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                row.append(rows.getString(i)).append(' ');
              }
              wrong.add(row.toString().strip());
            }
          }
        }
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot add up schema " + schema, e);
    }
    return wrong;
  }
}
