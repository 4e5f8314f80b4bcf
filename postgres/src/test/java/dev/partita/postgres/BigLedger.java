package dev.partita.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Fills tables with a sound history of any size, in the database: account number 1, {@code fees},
 * is credited by every transfer; 1,000 others are debited in turn. Each of those holds 1 in one
 * round and captures it in the next. Ten transfers make a batch.
 */
final class BigLedger {

  static final int PAYERS = 1_000;

  private BigLedger() {}

  /**
   * Adds transfers {@code from} to {@code to}, counted from 1; to a multiple of 2,000 in the end.
   */
  static void fill(Connection connection, String schema, long from, long to) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (from == 1) {
        statement.execute("INSERT INTO " + schema + ".asset VALUES ('EUR', 2)");
        statement.execute(
            "INSERT INTO "
                + schema
                + ".account (opened_at, code, normal, id, asset, batch) SELECT '2026-01-01Z', 0, 1,"
                + " CASE n WHEN 0 THEN 'fees' ELSE 'payer:' || n END, 'EUR', 0"
                + " FROM generate_series(0, 1000) n ORDER BY n");
      }
      statement.execute(
          """
          INSERT INTO %1$s.transfer (batch, recorded_at, debit_version, credit_version, debit_no,
            credit_no, batch_index, kind, flags, id, amount, debit_debits_posted,
            debit_debits_pending, credit_credits_posted, credit_credits_pending, related_id,
            reference, effective_at)
          SELECT (i + 9) / 10, timestamptz '2026-01-01Z' + i * interval '1 millisecond',
                 round + 1, i, 2 + place, 1, (i - 1) %% 10,
                 CASE round %% 2 WHEN 0 THEN 1 ELSE 2 END, CASE round %% 2 WHEN 0 THEN 15 ELSE 136 END,
                 lpad(to_hex(i), 32, '0')::uuid, 1,
                 (round + 1) / 2, CASE round %% 2 WHEN 0 THEN 1 END,
                 CASE round %% 2 WHEN 0 THEN round / 2 * 1000 ELSE round / 2 * 1000 + place + 1 END,
                 CASE round %% 2 WHEN 0 THEN place + 1 ELSE 999 - place END,
                 CASE round %% 2 WHEN 1 THEN lpad(to_hex(i - 1000), 32, '0')::uuid END,
                 CASE WHEN i %% 100 = 0 THEN 'r' || i %% 7000 END,
                 CASE WHEN i %% 100 = 50 THEN timestamptz '2025-06-01Z' + i * interval '1 second' END
          FROM (SELECT i, (i - 1) / 1000 AS round, (i - 1) %% 1000 AS place
                FROM generate_series(%2$d::bigint, %3$d::bigint) i) x ORDER BY i
          """
              .formatted(schema, from, to));
      statement.execute("SELECT setval('" + schema + ".batch', " + (to + 9) / 10 + ")");
    }
  }
}
