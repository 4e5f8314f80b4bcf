package dev.partita.lab.reconcile;

import dev.partita.lab.contender.Arena;
import dev.partita.lab.contender.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what clients were told with what a contender has stored, in one snapshot, whatever its
 * tables look like. A run that does not come out clean has measured nothing.
 */
public final class Reconciliation {

  private static final int EXAMPLES_MAX = 3;
  private static final int BATCH = 1_000;

  /**
   * What was looked for and what was found.
   *
   * @param name such as R4, as reports number it
   * @param what has to hold
   * @param broken how many cases break it
   * @param examples a few of them
   */
  public record Check(String name, String what, long broken, List<String> examples) {

    /** Takes a copy. */
    public Check {
      examples = List.copyOf(examples);
    }
  }

  private Reconciliation() {}

  /** Each check is a query of what breaks it. */
  private static Map<String, String> queries(Arena arena, Stored stored) {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "R1 both entries of every transfer are stored once and sum to zero",
        "SELECT transfer::text FROM stored_entry GROUP BY transfer"
            + " HAVING sum(amount) <> 0 OR count(*) <> 2");
    if (stored.balances() != null) {
      queries.put(
          "R2 every balance is the opening and what was entered since",
          """
          SELECT coalesce(b.account, e.account) || ': ' || coalesce(b.amount::text, 'none')
                 || ', due ' || (%d + coalesce(e.amount, 0))
          FROM (%s) b FULL JOIN (
            SELECT account, sum(amount) AS amount FROM stored_entry GROUP BY account) e
            ON e.account = b.account
          WHERE b.amount IS DISTINCT FROM %d + coalesce(e.amount, 0)
          """
              .formatted(arena.opening(), stored.balances(), arena.opening()));
    }
    queries.put(
        "R4 every acknowledged transfer is stored as it was sent",
        """
        SELECT j.id::text FROM journal j
        LEFT JOIN stored_entry p ON p.transfer = j.id AND p.account = j.payer AND p.amount = -j.amount
        LEFT JOIN stored_entry q ON q.transfer = j.id AND q.account = j.paid AND q.amount = j.amount
        WHERE j.expected = 'STORED' AND (p.transfer IS NULL OR q.transfer IS NULL)
        """);
    queries.put(
        "R5 no refused transfer is stored",
        "SELECT j.id::text FROM journal j WHERE j.expected = 'ABSENT'"
            + " AND EXISTS (SELECT FROM stored_entry e WHERE e.transfer = j.id)");
    if (stored.chain() != null) {
      queries.put(
          "R9 running balances follow from one another",
          """
          SELECT account || ' line ' || line FROM (
            SELECT account, line, amount, after,
                   lag(after, 1, %d::numeric) OVER w AS before, row_number() OVER w AS place
            FROM (%s) c WINDOW w AS (PARTITION BY account ORDER BY line)) l
          WHERE line <> place OR (after <> before + amount AND NOT (place = 1 AND after = amount))
          """
              .formatted(arena.opening(), stored.chain()));
    }
    queries.put(
        "R11 nothing is stored that nobody sent",
        "SELECT DISTINCT e.transfer::text FROM stored_entry e"
            + " WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = e.transfer)");
    return queries;
  }

  /** Looks at everything once nobody works any more. */
  public static List<Check> run(Arena arena, Stored stored, Journal journal) throws SQLException {
    try (Connection connection = arena.connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      load(connection, stored, journal);
      List<Check> checks = new ArrayList<>();
      for (Map.Entry<String, String> each : queries(arena, stored).entrySet()) {
        checks.add(check(connection, each.getKey(), each.getValue()));
      }
      connection.rollback();
      return checks;
    }
  }

  private static void load(Connection connection, Stored stored, Journal journal)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE journal (id uuid, payer int, paid int, amount bigint,"
              + " expected text) ON COMMIT DROP");
      statement.execute(
          "CREATE TEMPORARY TABLE stored_entry ON COMMIT DROP AS " + stored.entries());
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO journal VALUES (?, ?, ?, ?, ?)")) {
      int pending = 0;
      for (Journal.Line line : journal.lines()) {
        insert.setObject(1, line.movement().id());
        insert.setInt(2, line.movement().from());
        insert.setInt(3, line.movement().to());
        insert.setLong(4, line.movement().amount());
        insert.setString(5, line.expected().name());
        insert.addBatch();
        if (++pending == BATCH) {
          insert.executeBatch();
          pending = 0;
        }
      }
      insert.executeBatch();
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE INDEX ON journal (id)");
      statement.execute("CREATE INDEX ON stored_entry (transfer)");
      statement.execute("ANALYZE journal");
      statement.execute("ANALYZE stored_entry");
    }
  }

  private static Check check(Connection connection, String title, String query)
      throws SQLException {
    int space = title.indexOf(' ');
    long broken = 0;
    List<String> examples = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        broken++;
        if (examples.size() < EXAMPLES_MAX) {
          examples.add(rows.getString(1));
        }
      }
    }
    return new Check(title.substring(0, space), title.substring(space + 1), broken, examples);
  }
}
