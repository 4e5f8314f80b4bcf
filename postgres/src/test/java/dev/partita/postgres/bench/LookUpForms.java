package dev.partita.postgres.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Ways to write the two statements the lane lives on, the lock and the look-up of the newest
 * records: how long each takes over 10^5 transfers, and the plan it got while the table was empty,
 * which is the plan a lane keeps.
 */
final class LookUpForms {
  private static final List<Integer> SIZES = List.of(2, 65, 1_000, 6_500);

  private static final String DEBIT =
      """
      SELECT t.debit_version AS version, t.debit_debits_posted, t.debit_credits_posted,
             t.debit_debits_pending, t.debit_credits_pending
        FROM account_state_bench.transfer_records t
       WHERE t.debit_no = n.no\
      """;

  private static final String CREDIT =
      """
      SELECT t.credit_version AS version, t.credit_debits_posted, t.credit_credits_posted,
             t.credit_debits_pending, t.credit_credits_pending
        FROM account_state_bench.transfer_records t
       WHERE t.credit_no = n.no\
      """;

  private static final String NEWEST_DEBIT =
      "(" + DEBIT + "\nORDER BY t.debit_version DESC LIMIT 1)";
  private static final String NEWEST_CREDIT =
      "(" + CREDIT + "\nORDER BY t.credit_version DESC LIMIT 1)";

  private final String url;

  LookUpForms(String url) {
    this.url = url;
  }

  private static Map<String, String> lookUps() {
    String accounts = "FROM unnest(?::int[]) AS n (no)\n";
    Map<String, String> forms = new LinkedHashMap<>();
    forms.put(
        "two LEFT JOIN LATERALs",
        "SELECT n.no, d.*, c.* "
            + accounts
            + "LEFT JOIN LATERAL "
            + NEWEST_DEBIT
            + " d ON true\nLEFT JOIN LATERAL "
            + NEWEST_CREDIT
            + " c ON true");
    forms.put(
        "LATERAL, two limited branches UNION ALL, both returned",
        "SELECT n.no, t.* "
            + accounts
            + "CROSS JOIN LATERAL ("
            + NEWEST_DEBIT
            + "\nUNION ALL\n"
            + NEWEST_CREDIT
            + ") t");
    forms.put(
        "LATERAL, two limited branches UNION ALL, newer one chosen",
        "SELECT n.no, t.* "
            + accounts
            + "CROSS JOIN LATERAL ("
            + NEWEST_DEBIT
            + "\nUNION ALL\n"
            + NEWEST_CREDIT
            + "\nORDER BY version DESC LIMIT 1) t");
    forms.put(
        "LATERAL, unlimited branches UNION ALL, newest chosen",
        "SELECT n.no, t.* "
            + accounts
            + "CROSS JOIN LATERAL ("
            + DEBIT
            + "\nUNION ALL\n"
            + CREDIT
            + "\nORDER BY version DESC LIMIT 1) t");
    return forms;
  }

  private static Map<String, String> locks() {
    Map<String, String> forms = new LinkedHashMap<>();
    forms.put(
        "lock, = ANY",
        "SELECT a.no, a.id FROM account_state_bench.account a WHERE a.no = ANY (?)\n"
            + "ORDER BY a.no FOR NO KEY UPDATE");
    forms.put(
        "lock, join with unnest",
        """
        SELECT a.no, a.id FROM unnest(?::int[]) AS n (no)
        JOIN account_state_bench.account a ON a.no = n.no
        ORDER BY a.no FOR NO KEY UPDATE OF a\
        """);
    return forms;
  }

  /** Fills the table behind the prepared statements' backs, then times and explains each form. */
  void compare(int rows) throws SQLException {
    AccountStateBench.execute(url, StateModel.schema(Load.ACCOUNTS));
    Map<String, String> forms = lookUps();
    forms.putAll(locks());
    Map<String, PreparedStatement> statements = new LinkedHashMap<>();
    try (Connection connection = WriteCycle.connect(url)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_generic_plan");
      }
      connection.setAutoCommit(false);
      for (Map.Entry<String, String> form : forms.entrySet()) {
        PreparedStatement prepared = connection.prepareStatement(form.getValue());
        statements.put(form.getKey(), prepared);
        run(prepared, accounts(SIZES.getFirst()));
      }
      connection.commit();
      fill(rows);
      time(connection, statements);
      explain(connection, forms);
    }
  }

  private void fill(int rows) throws SQLException {
    int size = 1_000;
    try (WriteCycle cycle = new WriteCycle(url, StateModel.RECORDS)) {
      for (int done = 0; done < rows; done += size) {
        Transfer[] transfers = new Transfer[size];
        for (int i = 0; i < size; i++) {
          transfers[i] = Load.random(i % 2 == 0);
        }
        cycle.commit(new Batch(transfers), WriteCycle.Way.COPY);
      }
    }
  }

  private static int[] accounts(int count) {
    return IntStream.range(0, count).map(i -> 1 + i * (Load.ACCOUNTS / count)).toArray();
  }

  private static void time(Connection connection, Map<String, PreparedStatement> statements)
      throws SQLException {
    System.out.printf("%n## Forms of look-up and lock: µs per statement%n%n| form |");
    SIZES.forEach(size -> System.out.printf(Locale.ROOT, " %,d accounts |", size));
    System.out.printf("%n|---|%s%n", "---|".repeat(SIZES.size()));
    Map<String, List<List<Long>>> measured = new LinkedHashMap<>();
    for (int size : SIZES) {
      statements.forEach(
          (form, _) ->
              measured.computeIfAbsent(form, _ -> new ArrayList<>()).add(new ArrayList<>()));
      int[] accounts = accounts(size);
      int rounds = Math.clamp(100_000 / size, 20, 1_000);
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, PreparedStatement> form : statements.entrySet()) {
          long start = System.nanoTime();
          run(form.getValue(), accounts);
          long micros = (System.nanoTime() - start) / 1_000;
          measured.get(form.getKey()).getLast().add(micros);
          connection.commit();
        }
      }
    }
    measured.forEach(
        (form, bySize) -> {
          System.out.printf("| %s |", form);
          for (List<Long> micros : bySize) {
            long median = AccountStateBench.median(micros.stream().mapToLong(Long::longValue));
            System.out.printf(Locale.ROOT, " %,d |", median);
          }
          System.out.println();
        });
  }

  private static void run(PreparedStatement statement, int[] accounts) throws SQLException {
    statement.setObject(1, accounts);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        rows.getInt(1);
      }
    }
  }

  /** Twice: as planned on an empty, never analysed copy, and over the rows with statistics. */
  private void explain(Connection connection, Map<String, String> forms) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      connection.commit();
      for (boolean analysed : new boolean[] {true, false}) {
        AccountStateBench.execute(
            url,
            analysed
                ? "ANALYZE account_state_bench.transfer_records"
                : "TRUNCATE account_state_bench.transfer_records");
        for (Map.Entry<String, String> form : forms.entrySet()) {
          System.out.printf(
              "%n### %s: generic plan, %s%n%n```sql%n%s%n```%n```%n",
              form.getKey(), analysed ? "analysed rows" : "empty table", form.getValue());
          statement.execute("PREPARE form (int[]) AS " + form.getValue().replace("?", "$1"));
          try (ResultSet plan = statement.executeQuery("EXPLAIN EXECUTE form ('{1,2}')")) {
            while (plan.next()) {
              System.out.println(plan.getString(1));
            }
          }
          System.out.println("```");
          statement.execute("DEALLOCATE form");
          connection.commit();
        }
      }
    }
  }
}
