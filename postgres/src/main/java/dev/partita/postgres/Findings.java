package dev.partita.postgres;

import dev.partita.Progress;
import dev.partita.VerifyReport;
import dev.partita.VerifyReport.Violation;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a verification has found so far, and how far it is. Not safe for use by several threads. */
final class Findings {

  private static final int PARTS = 3;

  private final Progress progress;
  private final Set<Violation> violations = new LinkedHashSet<>();
  private final Map<String, Counters> totals = new TreeMap<>();
  private long accounts;
  private long records;
  private long entries;
  private long expected;

  Findings(Progress progress) {
    this.progress = progress;
  }

  /**
   * What a statement says beside its violations.
   *
   * @param place where the next chunk goes on, if the statement says so
   * @param count how many rows it looked at
   */
  record Chunk(@Nullable String place, long count) {}

  /** Four sums: debits and credits posted, debits and credits pending. */
  record Counters(
      BigDecimal debitsPosted,
      BigDecimal creditsPosted,
      BigDecimal debitsPending,
      BigDecimal creditsPending) {

    static Counters of(ResultSet row, int firstColumn) throws SQLException {
      return new Counters(
          orZero(row.getBigDecimal(firstColumn)),
          orZero(row.getBigDecimal(firstColumn + 1)),
          orZero(row.getBigDecimal(firstColumn + 2)),
          orZero(row.getBigDecimal(firstColumn + 3)));
    }

    private static BigDecimal orZero(@Nullable BigDecimal value) {
      return value == null ? BigDecimal.ZERO : value;
    }

    Counters plus(Counters other) {
      return new Counters(
          debitsPosted.add(other.debitsPosted),
          creditsPosted.add(other.creditsPosted),
          debitsPending.add(other.debitsPending),
          creditsPending.add(other.creditsPending));
    }
  }

  /** How many more violations are of interest. */
  int room() {
    return Math.max(1, VerifyReport.VIOLATIONS_MAX - violations.size());
  }

  void add(int invariant, String subject, String detail) {
    if (violations.size() < VerifyReport.VIOLATIONS_MAX) {
      violations.add(new Violation(invariant, subject, detail));
    }
  }

  /** Adds rows of invariant, subject and detail; one of invariant 0 holds place and count. */
  Chunk addAll(ResultSet rows) throws SQLException {
    Chunk chunk = new Chunk(null, 0);
    while (rows.next()) {
      String subject = rows.getString(2);
      if (rows.getInt(1) == 0) {
        chunk = new Chunk(subject, Long.parseLong(rows.getString(3)));
      } else {
        add(rows.getInt(1), subject, rows.getString(3));
      }
    }
    return chunk;
  }

  void addRecords(long count, long pagesDone, long pages) {
    records += count;
    expected = pagesDone == pages ? records : records * pages / Math.max(pagesDone, 1);
    report();
  }

  void addEntries(long count) {
    entries += count;
    report();
  }

  void addAccounts(long count) {
    accounts += count;
  }

  void addTotals(String asset, Counters counters) {
    totals.merge(asset, counters, Counters::plus);
  }

  private void report() {
    progress.report(Math.min((records + entries) / PARTS, expected), expected);
  }

  VerifyReport report(String position) {
    totals.forEach(this::compare);
    progress.report(records, records);
    return new VerifyReport(position, accounts, records, new ArrayList<>(violations));
  }

  private void compare(String asset, Counters sums) {
    List<String> details = new ArrayList<>();
    if (sums.debitsPosted().compareTo(sums.creditsPosted()) != 0) {
      details.add("posted: debits " + sums.debitsPosted() + ", credits " + sums.creditsPosted());
    }
    if (sums.debitsPending().compareTo(sums.creditsPending()) != 0) {
      details.add("pending: debits " + sums.debitsPending() + ", credits " + sums.creditsPending());
    }
    details.forEach(detail -> add(1, asset, detail));
  }
}
