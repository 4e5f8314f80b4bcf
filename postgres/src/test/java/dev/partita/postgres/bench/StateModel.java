package dev.partita.postgres.bench;

/**
 * Where the version and the four counters of an account live: the two candidates and the SQL that
 * reads and writes them. The transfer table is the same in both, because the statement needs the
 * running balance of every line.
 */
enum StateModel {
  /** One narrow row per account, updated once per account and batch. */
  ROW(
      """
      SELECT s.no, s.version,
             s.debits_posted, s.credits_posted, s.debits_pending, s.credits_pending
        FROM account_state_bench.account_state s
       WHERE s.no = ANY (?)
       ORDER BY s.no
         FOR NO KEY UPDATE\
      """,
      ""),

  /** The account row is only locked; the newest transfer row of the account holds its state. */
  RECORDS(
      """
      SELECT a.no, a.id
        FROM account_state_bench.account a
       WHERE a.no = ANY (?)
       ORDER BY a.no
         FOR NO KEY UPDATE\
      """,
      """
      SELECT n.no, t.version,
             t.debits_posted, t.credits_posted, t.debits_pending, t.credits_pending
        FROM unnest(?::int[]) AS n (no)
       CROSS JOIN LATERAL (
             (SELECT d.debit_version AS version,
                     d.debit_debits_posted AS debits_posted,
                     d.debit_credits_posted AS credits_posted,
                     d.debit_debits_pending AS debits_pending,
                     d.debit_credits_pending AS credits_pending
                FROM account_state_bench.transfer_records d
               WHERE d.debit_no = n.no
               ORDER BY d.debit_version DESC
               LIMIT 1)
              UNION ALL
             (SELECT c.credit_version,
                     c.credit_debits_posted,
                     c.credit_credits_posted,
                     c.credit_debits_pending,
                     c.credit_credits_pending
                FROM account_state_bench.transfer_records c
               WHERE c.credit_no = n.no
               ORDER BY c.credit_version DESC
               LIMIT 1)
              ORDER BY version DESC
              LIMIT 1) t\
      """);

  private static final String COLUMNS =
      "id, kind, flags, batch, debit_no, credit_no, debit_version, credit_version, amount,"
          + " debit_debits_posted, debit_credits_posted, debit_debits_pending,"
          + " debit_credits_pending, credit_debits_posted, credit_credits_posted,"
          + " credit_debits_pending, credit_credits_pending, recorded_at";

  private static final String UPDATE_STATE =
      """
      UPDATE account_state_bench.account_state s
         SET version = u.version,
             debits_posted = u.debits_posted, credits_posted = u.credits_posted,
             debits_pending = u.debits_pending, credits_pending = u.credits_pending
        FROM unnest(?::int[], ?::bigint[], ?::numeric[], ?::numeric[], ?::numeric[], ?::numeric[])
             AS u (no, version, debits_posted, credits_posted, debits_pending, credits_pending)
       WHERE s.no = u.no\
      """;

  private final String lockSql;
  private final String lookUpSql;

  StateModel(String lockSql, String lookUpSql) {
    this.lockSql = lockSql;
    this.lookUpSql = lookUpSql;
  }

  String transferTable() {
    return "account_state_bench.transfer_" + name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Round trip 1: each statement has its own snapshot, all of them taken after the locks. */
  String lockAndLookUp() {
    String existingIds =
        "SELECT t.id, t.debit_no, t.credit_no, t.amount FROM "
            + transferTable()
            + " t WHERE t.id = ANY (?)";
    String clock = "SELECT clock_timestamp(), nextval('account_state_bench.batch')";
    String look = lookUpSql.isEmpty() ? "" : lookUpSql + ";\n";
    return "BEGIN;\n" + lockSql + ";\n" + look + existingIds + ";\n" + clock;
  }

  /** Round trip 2 for small batches. */
  String insertAndCommit() {
    String insert =
        "INSERT INTO "
            + transferTable()
            + " ("
            + COLUMNS
            + ")\nSELECT u.*, ?::timestamptz\n  FROM (SELECT id, kind, flags, ?::bigint, debit_no,"
            + " credit_no, debit_version, credit_version, amount, a, b, c, d, e, f, g, h\n"
            + "  FROM unnest(?::uuid[], ?::smallint[], ?::smallint[], ?::int[], ?::int[],"
            + " ?::bigint[], ?::bigint[], ?::numeric[], ?::numeric[], ?::numeric[], ?::numeric[],"
            + " ?::numeric[], ?::numeric[], ?::numeric[], ?::numeric[], ?::numeric[])\n"
            + "    AS v (id, kind, flags, debit_no, credit_no, debit_version, credit_version,"
            + " amount, a, b, c, d, e, f, g, h)) u";
    return insert + ";\n" + stateAndCommit();
  }

  /** What remains for the last round trip once COPY has written the records. */
  String stateAndCommit() {
    return this == ROW ? UPDATE_STATE + ";\nCOMMIT" : "COMMIT";
  }

  String copy() {
    return "COPY " + transferTable() + " (" + COLUMNS + ") FROM STDIN (FORMAT binary)";
  }

  /** Tables, filled with accounts 1 … {@code accounts}. */
  static String schema(int accounts) {
    String transfer =
        """
        CREATE TABLE %s (
          batch bigint NOT NULL,
          debit_version bigint NOT NULL,
          credit_version bigint NOT NULL,
          recorded_at timestamptz NOT NULL,
          debit_no int NOT NULL,
          credit_no int NOT NULL,
          kind smallint NOT NULL,
          flags smallint NOT NULL,
          id uuid PRIMARY KEY,
          amount numeric(39,0) NOT NULL CHECK (amount >= 0 AND amount <> 'NaN'),
          debit_debits_posted numeric(39,0),
          debit_credits_posted numeric(39,0),
          debit_debits_pending numeric(39,0),
          debit_credits_pending numeric(39,0),
          credit_debits_posted numeric(39,0),
          credit_credits_posted numeric(39,0),
          credit_debits_pending numeric(39,0),
          credit_credits_pending numeric(39,0),
          UNIQUE (debit_no, debit_version),
          UNIQUE (credit_no, credit_version));
        """;
    return "DROP SCHEMA IF EXISTS account_state_bench CASCADE;\n"
        + "CREATE SCHEMA account_state_bench;\n"
        + "CREATE SEQUENCE account_state_bench.batch;\n"
        + transfer.formatted(ROW.transferTable())
        + transfer.formatted(RECORDS.transferTable())
        + """
        CREATE TABLE account_state_bench.account (
          no int PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE);
        CREATE TABLE account_state_bench.account_state (
          version bigint NOT NULL, no int PRIMARY KEY,
          debits_posted numeric(39,0) NOT NULL, credits_posted numeric(39,0) NOT NULL,
          debits_pending numeric(39,0) NOT NULL, credits_pending numeric(39,0) NOT NULL)
          WITH (fillfactor = 50);
        """
        + "INSERT INTO account_state_bench.account SELECT n, 'account-' || n FROM"
        + " generate_series(1, %d) n;\n".formatted(accounts)
        + "INSERT INTO account_state_bench.account_state SELECT 0, n, 0, 0, 0, 0 FROM"
        + " generate_series(1, %d) n;\n".formatted(accounts)
        + "VACUUM ANALYZE account_state_bench.account;"
        + "VACUUM ANALYZE account_state_bench.account_state";
  }
}
