package dev.partita.lab.contender;

import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.lab.load.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * pgledger, a ledger of PL/pgSQL functions by Paul Gross, from a folder with its SQL files. It
 * makes its own ids and keeps none of the caller's, so a call is told from others by the instant of
 * the event that it passes along, unique in a run. Which of our transfers that was is written into
 * a table of the lab's own when a worker is closed: close workers before reconciling.
 */
public final class PgLedger implements Contender {

  /** What has to be in the folder, in the order of loading. */
  private static final List<String> FILES =
      List.of(
          "vendor/scoville-pgsql-ulid/ulid-to-uuid.sql",
          "vendor/scoville-pgsql-ulid/uuid-to-ulid.sql",
          "pgledger.sql");

  private static final String OPTION = "pgledger";
  private static final int FUND_AT_ONCE = 500;

  private static final String CHECK =
      """
      SELECT to_regprocedure('pgledger_create_transfer(text,text,numeric,timestamptz,jsonb)') IS NULL
          OR to_regprocedure('pgledger_create_transfers(transfer_request[],timestamptz,jsonb)')
             IS NULL
      """;

  private static final String ACCOUNTS =
      """
      SELECT count(*) FROM generate_series(0, {accounts} - 1) i,
        LATERAL pgledger_create_account('a:' || i, 'EUR', allow_negative_balance => false);
      SELECT count(*) FROM pgledger_create_account('world', 'EUR');
      """;

  private static final String FUND =
      """
      SELECT count(*) FROM pgledger_create_transfers((
        SELECT array_agg((w.id, a.id, {opening})::transfer_request ORDER BY a.id)
        FROM pgledger_accounts a
        JOIN (SELECT 'a:' || i AS name FROM generate_series(?, ?) i) n ON n.name = a.name
        CROSS JOIN (SELECT id FROM pgledger_accounts WHERE name = 'world') w), NULL::timestamptz)
      """;

  private static final String IDS =
      "SELECT substr(name, 3)::int, id FROM pgledger_accounts WHERE name <> 'world'";

  private final List<String> texts;

  private PgLedger(List<String> texts) {
    this.texts = texts;
  }

  /**
   * From a folder, such as a clone of the project's repository.
   *
   * @throws MisuseException if its files are not there
   */
  public static PgLedger in(Path folder) {
    List<String> texts = new ArrayList<>();
    for (String file : FILES) {
      try {
        texts.add(Files.readString(folder.resolve(file)));
      } catch (IOException e) {
        throw new MisuseException(
            OPTION, "cannot read " + folder.resolve(file) + "; give the folder of pgledger.sql");
      }
    }
    return new PgLedger(texts);
  }

  @Override
  public Card card() {
    return new Card(
            "pgledger",
            "PL/pgSQL functions: lock accounts in the order of their ids, then for each transfer two"
                + " updates, two checks, three inserts",
            "no ids of the caller's that are unique, no holds",
            List.of(PgLedgerCalls.ONE, PgLedgerCalls.MANY),
            1,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(0);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    try (Connection connection = arena.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(searchPath(arena));
      install(statement);
      statement.execute(arena.text(ACCOUNTS + PgLedgerSent.TABLE));
      if (arena.opening() > 0) {
        fund(connection, arena);
      }
      return new PgLedgerStage(arena, ids(statement, arena));
    }
  }

  private void install(Statement statement) throws SQLException {
    for (int i = 0; i < texts.size(); i++) {
      try {
        statement.execute(texts.get(i));
      } catch (SQLException e) {
        throw new MisuseException(
            OPTION, FILES.get(i) + " cannot be loaded into this database: " + e.getMessage());
      }
    }
    try (ResultSet row = statement.executeQuery(CHECK)) {
      row.next();
      if (row.getBoolean(1)) {
        throw new MisuseException(
            OPTION, "its functions take other arguments than those of July 2026");
      }
    }
  }

  private static void fund(Connection connection, Arena arena) throws SQLException {
    try (PreparedStatement fund = connection.prepareStatement(arena.text(FUND))) {
      for (int first = 0; first < arena.accounts(); first += FUND_AT_ONCE) {
        int last = Math.min(arena.accounts(), first + FUND_AT_ONCE) - 1;
        fund.setInt(1, first);
        fund.setInt(2, last);
        try (ResultSet row = fund.executeQuery()) {
          row.next();
          Tables.requireRows(last - first + 1, row.getInt(1));
        }
      }
    }
  }

  private static String[] ids(Statement statement, Arena arena) throws SQLException {
    String[] ids = new String[arena.accounts()];
    try (ResultSet rows = statement.executeQuery(IDS)) {
      while (rows.next()) {
        ids[rows.getInt(1)] = rows.getString(2);
      }
    }
    return ids;
  }

  /** Its functions name their tables without a schema. */
  static String searchPath(Arena arena) {
    return "SET search_path = " + arena.schema();
  }

  private static final class PgLedgerStage implements Stage {

    /** Ids rise within a call, so their order is that of its transfers. */
    private static final String TRANSFERS =
        """
        SELECT t.id, coalesce(s.id, md5(t.id)::uuid) AS sent FROM (
          SELECT t.id, t.event_at,
                 row_number() OVER (PARTITION BY t.event_at ORDER BY t.id COLLATE "C") AS place
          FROM {schema}.pgledger_transfers t
          JOIN {schema}.pgledger_accounts a ON a.id = t.from_account_id AND a.name <> 'world') t
        LEFT JOIN {schema}.lab_sent s ON s.event_at = t.event_at AND s.place = t.place
        """;

    private static final Stored STORED =
        new Stored(
            "SELECT substr(name, 3)::int AS account, balance AS amount"
                + " FROM {schema}.pgledger_accounts WHERE name <> 'world'",
            "SELECT t.sent AS transfer, substr(a.name, 3)::int AS account, e.amount"
                + " FROM {schema}.pgledger_entries e"
                + " JOIN {schema}.pgledger_accounts a ON a.id = e.account_id JOIN ("
                + TRANSFERS
                + ") t ON t.id = e.transfer_id",
            "SELECT substr(a.name, 3)::int AS account, e.account_version AS line, e.amount,"
                + " e.account_current_balance AS after FROM {schema}.pgledger_entries e"
                + " JOIN {schema}.pgledger_accounts a ON a.id = e.account_id AND a.name <> 'world'",
            "{schema}.pgledger_accounts,{schema}.pgledger_transfers,{schema}.pgledger_entries",
            "SELECT count(*) AS transfers, count(DISTINCT t.event_at) AS commits"
                + " FROM {schema}.pgledger_transfers t JOIN {schema}.pgledger_accounts a"
                + " ON a.id = t.from_account_id AND a.name <> 'world'");

    private final Arena arena;
    private final String[] ids;
    private final PgLedgerSent sent = new PgLedgerSent();

    PgLedgerStage(Arena arena, String[] ids) {
      this.arena = arena;
      this.ids = ids;
    }

    @Override
    public Worker worker() throws SQLException {
      return new SqlWorker(
          arena, (connection, place) -> new PgLedgerCalls(connection, place, ids, sent));
    }

    /**
     * Writes down what was sent first.
     *
     * @throws UnavailableException if that fails: then nothing is known
     */
    @Override
    public Stored stored() {
      try {
        sent.writeTo(arena);
      } catch (SQLException e) {
        throw new UnavailableException(
            UnavailableException.Reason.DATABASE_ERROR,
            UnavailableException.Outcome.NOT_POSTED,
            "what was sent to pgledger could not be written into " + arena.schema(),
            e);
      }
      return STORED.in(arena);
    }

    @Override
    public void close() {}
  }
}
