package dev.partita.postgres;

import dev.partita.postgres.ReadSession.Joins;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the accounts in order of their numbers. Small ones are proved many at a time, the
 * entries of a large one in parts. Not safe for use by several threads.
 */
final class AccountVerifier {

  /** From so many changed accounts in one range on, all are proved in one statement. */
  private static final int CHANGED_ALONE_MAX = 3;

  private final Connection connection;
  private final String schema;
  private final long lastBatch;
  private final Findings findings;
  private final Pace accountPace = new Pace(500, 1, 5_000);
  private final Pace changePace = new Pace(5_000, 1, 1_000_000);
  private final Pace entryPace = new Pace(20_000, 100, 2_000_000);

  AccountVerifier(Connection connection, String schema, long lastBatch, Findings findings) {
    this.connection = connection;
    this.schema = schema;
    this.lastBatch = lastBatch;
    this.findings = findings;
  }

  /** An account, its newest version, and whether its terms were ever changed. */
  private record Planned(int no, long version, boolean changed) {}

  void run() throws SQLException {
    int last = lastNumber();
    int from = Integer.MIN_VALUE;
    List<Planned> plan = plan(from, last);
    while (!plan.isEmpty()) {
      findings.addAccounts(plan.size());
      int end = plan.getLast().no();
      prove(from, plan);
      changes(plan.getFirst().no(), end);
      if (end == Integer.MAX_VALUE) {
        return;
      }
      from = end + 1;
      plan = plan(from, last);
    }
    // Nothing may be recorded on accounts that do not exist.
    entries(VerifyEntries.Range.of(from, Integer.MAX_VALUE));
  }

  private int lastNumber() throws SQLException {
    SqlQuery query =
        new SqlQuery().add("SELECT coalesce(max(a.no), 0) FROM " + schema + ".account a");
    return ReadSession.askBounded(
        connection,
        Joins.LOOKUPS,
        query,
        rows -> {
          rows.next();
          return rows.getInt(1);
        });
  }

  private List<Planned> plan(int from, int last) throws SQLException {
    if (from > last) {
      return List.of();
    }
    return accountPace.run(
        size ->
            ReadSession.askBounded(
                connection,
                Joins.LOOKUPS,
                VerifyAccounts.states(schema, from, last, (int) size),
                this::planned));
  }

  private List<Planned> planned(ResultSet rows) throws SQLException {
    List<Planned> plan = new ArrayList<>();
    while (rows.next()) {
      plan.add(new Planned(rows.getInt(1), rows.getLong(3), rows.getBoolean(4)));
      if (!rows.getBoolean(5)) {
        findings.add(2, rows.getString(2), rows.getString(6));
      }
    }
    return plan;
  }

  private void changes(int first, int last) throws SQLException {
    for (long next = first; next <= last; ) {
      int from = (int) next;
      next =
          changePace.run(
              size -> {
                int to = (int) Math.min(last, from + size - 1);
                ReadSession.askBounded(
                    connection,
                    Joins.LOOKUPS,
                    VerifyAccounts.changes(schema, from, to, findings.room()),
                    findings::addAll);
                return to + 1L;
              });
    }
  }

  /** Proves the entries of all numbers from {@code from} to the last account of the plan. */
  private void prove(int from, List<Planned> plan) throws SQLException {
    int first = from;
    for (int i = 0; i < plan.size(); ) {
      int start = i;
      int firstNo = first;
      Small small = entryPace.run(size -> small(firstNo, plan, start, size));
      small.summaries().forEach(this::addTotals);
      int end = small.end();
      if (end == start) {
        if (plan.get(start).no() > firstNo) {
          entries(VerifyEntries.Range.of(firstNo, plan.get(start).no() - 1));
        }
        large(plan.get(start));
        end = start + 1;
      }
      first = plan.get(end - 1).no() + 1;
      i = end;
    }
  }

  /** Accounts that were proved together, up to a place in the plan. */
  private record Small(int end, List<Summary> summaries) {}

  /** As many accounts as fit into one statement; none if already the first is too large. */
  private Small small(int firstNo, List<Planned> plan, int start, long size) throws SQLException {
    int end = start;
    long sum = 0;
    List<Planned> changed = new ArrayList<>();
    while (end < plan.size() && sum + plan.get(end).version() <= size) {
      sum += plan.get(end).version();
      if (plan.get(end).changed()) {
        changed.add(plan.get(end));
      }
      end++;
    }
    if (end == start) {
      return new Small(start, List.of());
    }
    VerifyEntries.Range range = VerifyEntries.Range.of(firstNo, plan.get(end - 1).no());
    List<Summary> summaries = summaries(range);
    if (changed.size() > CHANGED_ALONE_MAX) {
      limits(range);
    } else {
      for (Planned account : changed) {
        limits(new VerifyEntries.Range(account.no(), account.no(), 1, account.version()));
      }
    }
    return new Small(end, summaries);
  }

  /** One account in parts; what it comes to is the last state of the last part. */
  private void large(Planned account) throws SQLException {
    List<Summary> newest = List.of();
    for (long version = 1; version <= account.version(); ) {
      long from = version;
      Part part = entryPace.run(size -> part(account, from, size));
      part.summaries().forEach(summary -> findings.addEntries(summary.entries()));
      newest = part.summaries().isEmpty() ? newest : part.summaries();
      version = part.next();
    }
    newest.forEach(this::addToAsset);
  }

  /** A part of an account that was proved. */
  private record Part(List<Summary> summaries, long next) {}

  private Part part(Planned account, long from, long size) throws SQLException {
    long to = Math.min(account.version(), from + size - 1);
    VerifyEntries.Range range = new VerifyEntries.Range(account.no(), account.no(), from, to);
    List<Summary> summaries = summaries(range);
    if (account.changed()) {
      limits(range);
    }
    return new Part(summaries, to + 1);
  }

  /** What the entries of one asset come to; the asset is null where accounts do not exist. */
  private record Summary(
      @Nullable String asset, long entries, Findings.Counters counters, long bad) {}

  private void entries(VerifyEntries.Range range) throws SQLException {
    summaries(range).forEach(this::addTotals);
  }

  private void addTotals(Summary summary) {
    findings.addEntries(summary.entries());
    addToAsset(summary);
  }

  private void addToAsset(Summary summary) {
    if (summary.asset() != null) {
      findings.addTotals(summary.asset(), summary.counters());
    }
  }

  private List<Summary> summaries(VerifyEntries.Range range) throws SQLException {
    List<Summary> summaries =
        ReadSession.askBounded(
            connection,
            Joins.HASHES,
            VerifyEntries.summary(schema, range, lastBatch),
            rows -> {
              List<Summary> found = new ArrayList<>();
              while (rows.next()) {
                found.add(
                    new Summary(
                        rows.getString(1),
                        rows.getLong(2),
                        Findings.Counters.of(rows, 3),
                        rows.getLong(7)));
              }
              return found;
            });
    if (summaries.stream().anyMatch(summary -> summary.bad() > 0)) {
      ReadSession.askBounded(
          connection,
          Joins.LOOKUPS,
          VerifyEntries.details(schema, range, lastBatch, findings.room()),
          findings::addAll);
    }
    return summaries;
  }

  private void limits(VerifyEntries.Range range) throws SQLException {
    ReadSession.askBounded(
        connection,
        Joins.HASHES,
        VerifyEntries.limitDetails(schema, range, lastBatch, findings.room()),
        findings::addAll);
  }
}
