package dev.partita.lab.reconcile;

import dev.partita.lab.contender.Arena;
import dev.partita.lab.contender.Stored;
import dev.partita.lab.result.CheckResult;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Compares what clients were told with what a contender has stored, in one snapshot, whatever its
 * tables look like. A run that does not come out clean has measured nothing.
 */
public final class Reconciliation {

  private static final int EXAMPLES_MAX = 3;
  private static final int COPY_BYTES = 1 << 16;

  private Reconciliation() {}

  /** Each check is a query of what breaks it. */
  private static Map<String, String> queries(Arena arena, Stored stored, Journal journal) {
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
    if (journal.replayed() > 0) {
      queries.put(
          "R7 what was said to be there already is stored once, as it was sent first",
          """
          SELECT j.id::text FROM journal j WHERE j.replayed AND 2 <> (
            SELECT count(*) FROM stored_entry e WHERE e.transfer = j.id
            AND (e.account = j.payer AND e.amount = -j.amount
                 OR e.account = j.paid AND e.amount = j.amount))
          """);
    }
    queries.put(
        "R4 every acknowledged transfer is stored as it was sent",
        """
        SELECT j.id::text FROM journal j
        LEFT JOIN stored_entry p ON p.transfer = j.id AND p.account = j.payer AND p.amount = -j.amount
        LEFT JOIN stored_entry q ON q.transfer = j.id AND q.account = j.paid AND q.amount = j.amount
        WHERE j.expected = 0 AND (p.transfer IS NULL OR q.transfer IS NULL)
        """);
    queries.put(
        "R5 no refused transfer is stored",
        "SELECT j.id::text FROM journal j WHERE j.expected = 2"
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
    if (stored.moves() != null) {
      queries.put(
          "R8 every account has moved as often as clients were told",
          """
          SELECT coalesce(m.account, l.account) || ' moved ' || coalesce(m.moves, 0)
                 || ' times, due ' || coalesce(l.certain, 0) || ' to ' || coalesce(l.possible, 0)
          FROM (%s) m FULL JOIN (
            SELECT account, count(*) FILTER (WHERE expected = 0) AS certain,
                   count(*) FILTER (WHERE expected < 2) AS possible
            FROM (SELECT payer AS account, expected FROM journal
                  UNION ALL SELECT paid, expected FROM journal) legs GROUP BY account) l
            ON l.account = m.account
          WHERE coalesce(m.moves, 0) NOT BETWEEN coalesce(l.certain, 0) AND coalesce(l.possible, 0)
          """
              .formatted(stored.moves()));
    }
    if (stored.floor() != null && stored.balances() != null) {
      String every =
          stored.chain() == null
              ? ""
              : " UNION ALL SELECT account, after FROM (" + stored.chain() + ") c";
      queries.put(
          "R10 no balance is, or was, less than it may be",
          "SELECT account || ': ' || amount FROM (SELECT account, amount FROM ("
              + stored.balances()
              + ") b"
              + every
              + ") a WHERE amount < "
              + stored.floor());
    }
    queries.put(
        "R11 nothing is stored that nobody sent",
        "SELECT DISTINCT e.transfer::text FROM stored_entry e"
            + " WHERE NOT EXISTS (SELECT FROM journal j WHERE j.id = e.transfer)");
    return queries;
  }

  /** Looks at everything once nobody works any more. */
  public static List<CheckResult> run(Arena arena, Stored stored, Journal journal)
      throws SQLException {
    try (Connection connection = arena.connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      load(connection, stored, journal);
      List<CheckResult> checks = new ArrayList<>();
      for (Map.Entry<String, String> each : queries(arena, stored, journal).entrySet()) {
        checks.add(check(connection, each.getKey(), each.getValue()));
      }
      checks.add(count(connection, journal));
      checks.add(uncertain(connection, journal));
      checks.sort((a, b) -> Integer.compare(number(a), number(b)));
      connection.rollback();
      return checks;
    }
  }

  private static int number(CheckResult check) {
    return Integer.parseInt(check.name().substring(1));
  }

  private static void load(Connection connection, Stored stored, Journal journal)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE sent (id uuid, payer int, paid int, amount bigint, expected int,"
              + " replayed boolean, only_replayed boolean DEFAULT false) ON COMMIT DROP");
      statement.execute(
          "CREATE TEMPORARY TABLE stored_entry ON COMMIT DROP AS " + stored.entries());
    }
    copy(connection, journal);
    try (Statement statement = connection.createStatement()) {
      // Of a transfer that was sent more than once the strongest line counts.
      statement.execute(
          journal.replayed() == 0
              ? "ALTER TABLE sent RENAME TO journal"
              : """
                CREATE TEMPORARY TABLE journal ON COMMIT DROP AS
                SELECT DISTINCT ON (id) id, payer, paid, amount, expected,
                       bool_or(replayed) OVER (PARTITION BY id) AS replayed,
                       bool_and(replayed) OVER (PARTITION BY id) AS only_replayed
                FROM sent ORDER BY id, expected
                """);
      statement.execute("CREATE INDEX ON journal (id)");
      statement.execute("CREATE INDEX ON stored_entry (transfer)");
      statement.execute("ANALYZE journal");
      statement.execute("ANALYZE stored_entry");
    }
  }

  private static void copy(Connection connection, Journal journal) throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY sent (id, payer, paid, amount, expected, replayed) FROM STDIN");
    try {
      StringBuilder lines = new StringBuilder(COPY_BYTES + 128);
      journal.read(
          (movement, expected, replayed) -> {
            lines.append(movement.id()).append('\t').append(movement.from()).append('\t');
            lines.append(movement.to()).append('\t').append(movement.amount()).append('\t');
            lines.append(expected.code()).append('\t').append(replayed ? 't' : 'f');
            lines.append('\n');
            if (lines.length() >= COPY_BYTES) {
              flush(copy, lines);
            }
          });
      flush(copy, lines);
      copy.endCopy();
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private static void flush(CopyIn copy, StringBuilder lines) throws SQLException {
    byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
    copy.writeToCopy(bytes, 0, bytes.length);
    lines.setLength(0);
  }

  private static CheckResult check(Connection connection, String title, String query)
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
    return new CheckResult(
        title.substring(0, space), title.substring(space + 1), broken, examples, "");
  }

  /** As many are stored as were acknowledged, and of the uncertain ones any number. */
  private static CheckResult count(Connection connection, Journal journal) throws SQLException {
    long stored =
        number(
            connection,
            "SELECT count(DISTINCT transfer) FROM stored_entry e"
                + " WHERE EXISTS (SELECT FROM journal j WHERE j.id = e.transfer)");
    long least = journal.committed();
    // Said to be there already and never said to be made: sent again after an answer was lost.
    long most =
        least
            + journal.uncertain()
            + number(connection, "SELECT count(*) FROM journal WHERE only_replayed");
    long off = stored < least ? least - stored : Math.max(0, stored - most);
    List<String> examples =
        off == 0 ? List.of() : List.of(stored + " stored, " + least + " to " + most + " due");
    String note =
        journal.overflowed() == 0
            ? stored + " transfers"
            : journal.overflowed() + " transfers found no place in the journal";
    return new CheckResult(
        "R3",
        "as many transfers are stored as were acknowledged",
        off + journal.overflowed(),
        examples,
        note);
  }

  private static CheckResult uncertain(Connection connection, Journal journal) throws SQLException {
    long made =
        number(
            connection,
            "SELECT count(*) FROM journal j WHERE j.expected = 1"
                + " AND EXISTS (SELECT FROM stored_entry e WHERE e.transfer = j.id)");
    return new CheckResult(
        "R6",
        "every transfer without a clear answer was looked up",
        0,
        List.of(),
        journal.uncertain() + " without, " + made + " of them stored");
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
