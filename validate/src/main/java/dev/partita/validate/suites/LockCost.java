package dev.partita.validate.suites;

import dev.partita.AccountId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * What it costs the server to lock an account and to find its state, as {@code EXPLAIN (ANALYZE,
 * BUFFERS)} says, while nobody else uses the account.
 *
 * @param pages pages visited, a page visited twice counted twice
 * @param micros time in the server, the median of several
 */
record LockCost(long pages, long micros) {

  private static final int TIMES = 15;
  private static final Pattern BUFFERS =
      Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");
  private static final Pattern TIME = Pattern.compile("Execution Time: (\\d+)\\.(\\d{3}) ms");

  /** The way lanes do it: the lock by itself, then the newer of the newest records. */
  private static List<String> statements(String schema) {
    return List.of(
        "SELECT a.no FROM %1$s.account a WHERE a.id = ? FOR NO KEY UPDATE OF a".formatted(schema),
        """
        SELECT s.version FROM %1$s.account a CROSS JOIN LATERAL (
          (SELECT t.debit_version AS version FROM %1$s.transfer t WHERE t.debit_no = a.no
           ORDER BY t.debit_version DESC LIMIT 1)
          UNION ALL
          (SELECT t.credit_version FROM %1$s.transfer t WHERE t.credit_no = a.no
           ORDER BY t.credit_version DESC LIMIT 1)
          ORDER BY version DESC LIMIT 1) s
        WHERE a.id = ?
        """
            .formatted(schema));
  }

  /** Locks and looks up several times. */
  static LockCost measure(DataSource source, String schema, AccountId account) throws SQLException {
    List<Long> pages = new ArrayList<>();
    List<Long> micros = new ArrayList<>();
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TIMES; i++) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET LOCAL enable_seqscan = off");
        }
        long visited = 0;
        long spent = 0;
        for (String sql : statements(schema)) {
          String plan = explain(connection, sql, account);
          visited += sum(BUFFERS.matcher(plan));
          spent += micros(TIME.matcher(plan));
        }
        pages.add(visited);
        micros.add(spent);
        connection.rollback();
      }
    }
    return new LockCost(median(pages), median(micros));
  }

  private static String explain(Connection connection, String sql, AccountId account)
      throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (PreparedStatement statement =
        connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) " + sql)) {
      statement.setString(1, account.value());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  /** Of the first line, which is the topmost node's and counts those below it. */
  private static long sum(Matcher buffers) {
    long sum = 0;
    if (buffers.find()) {
      for (int i = 1; i <= buffers.groupCount(); i++) {
        String count = buffers.group(i);
        sum += count == null ? 0 : Long.parseLong(count);
      }
    }
    return sum;
  }

  private static long micros(Matcher time) {
    if (!time.find()) {
      throw new IllegalStateException("the plan says no time");
    }
    return Long.parseLong(time.group(1)) * 1_000 + Long.parseLong(time.group(2));
  }

  private static long median(List<Long> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }
}
