package dev.partita.postgres;

import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.MisuseException;
import dev.partita.TimeSource;
import dev.partita.UnknownAccountException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads where an account stands or stood, and says up to when that is final.
 *
 * <p>What is recorded later gets the clock read under the account's lock, and never less than the
 * account's last record. So everything before the last record is final; and if nobody held the lock
 * at some reading of the clock, everything before that reading is, see {@code quiet_since}.
 */
final class BalanceReads {

  private final ReadSession session;
  private final String schema;
  private final @Nullable TimeSource timeSource;

  BalanceReads(ReadSession session, String schema, @Nullable TimeSource timeSource) {
    this.session = session;
    this.schema = schema;
    this.timeSource = timeSource;
  }

  /** An account as a reading found it. */
  private record Found(
      AccountId id,
      AssetCode asset,
      int normal,
      Instant openedAt,
      @Nullable Instant lastRecordedAt,
      Instant now,
      Instant settledUntil) {}

  BalanceReading now(AccountId id) {
    SqlQuery query = new SqlQuery().add("SELECT " + head() + AccountStates.stateColumns("n"));
    from(query);
    query.add(" WHERE a.id = ?", id.value());
    return ask(id, query, BalanceReads::reading);
  }

  BalanceReading asRecorded(AccountId id, Instant recordedAt) {
    SqlQuery query = new SqlQuery().add("SELECT " + head() + AccountStates.stateColumns("s"));
    from(query);
    query
        .add(" CROSS JOIN LATERAL (SELECT " + schema)
        .add(
            ".version_at(a.no, n.version, ?) AS version OFFSET 0) w LEFT JOIN LATERAL ", recordedAt)
        .add(AccountStates.at(schema, "w.version"))
        .add(" s ON true WHERE a.id = ?", id.value());
    return ask(
        id,
        query,
        (found, rows) -> {
          requireKnown("recordedAt", recordedAt, found);
          return reading(found, rows);
        });
  }

  EffectiveReading asEffective(AccountId id, Instant effectiveAt, @Nullable Instant knownAt) {
    SqlQuery query =
        new SqlQuery()
            .add("SELECT " + head())
            .add("coalesce(s.dp, 0) + d.sum, coalesce(s.cp, 0) + c.sum");
    from(query);
    query.add(" CROSS JOIN LATERAL (SELECT ");
    if (knownAt == null) {
      query.add("coalesce(n.version, 0) AS known, ");
      query.add(schema + ".version_at(a.no, n.version, ?) AS base OFFSET 0", effectiveAt);
    } else {
      Instant earlier = knownAt.isBefore(effectiveAt) ? knownAt : effectiveAt;
      query.add(schema + ".version_at(a.no, n.version, ?) AS known, ", knownAt);
      query.add(schema + ".version_at(a.no, n.version, ?) AS base OFFSET 0", earlier);
    }
    query.add(") w LEFT JOIN LATERAL ").add(AccountStates.at(schema, "w.base"));
    query.add(" s ON true");
    dated(query, "debit", "d", effectiveAt);
    dated(query, "credit", "c", effectiveAt);
    query.add(" WHERE a.id = ?", id.value());
    return ask(
        id,
        query,
        (found, rows) -> {
          if (knownAt != null) {
            requireKnown("knownAt", knownAt, found);
          }
          return new EffectiveReading(
              found.id(),
              found.asset(),
              TransferRows.side(found.normal()),
              Numerics.amountOrZero(rows, HEAD_COLUMNS + 1),
              Numerics.amountOrZero(rows, HEAD_COLUMNS + 2),
              found.settledUntil());
        });
  }

  /**
   * What of one side was recorded by then but counts for later, to be taken off, and what was
   * recorded later but counts for then. What was both recorded and dated by then is in the counters
   * already.
   */
  private void dated(SqlQuery query, String side, String alias, Instant effectiveAt) {
    String rows = ".transfer t WHERE t." + side + "_no = a.no AND t.kind IN (0, 2, 5)";
    String version = "t." + side + "_version";
    query
        .add(" CROSS JOIN LATERAL (SELECT coalesce((SELECT sum(t.amount) FROM " + schema + rows)
        .add(" AND t.effective_at <= ? AND w.base < w.known AND ", effectiveAt)
        .add(version + " > w.base AND " + version + " <= w.known), 0)")
        .add(" - coalesce((SELECT sum(t.amount) FROM " + schema + rows)
        .add(" AND t.effective_at > ? AND " + version + " <= w.base), 0) AS sum)", effectiveAt)
        .add(" " + alias);
  }

  private static final int HEAD_COLUMNS = 6;

  private static String head() {
    return "a.id, a.asset, a.normal, a.opened_at, n.recorded_at, clock_timestamp(), ";
  }

  private void from(SqlQuery query) {
    query
        .add(" FROM " + schema + ".account a LEFT JOIN LATERAL ")
        .add(AccountStates.newest(schema))
        .add(" n ON true");
  }

  @FunctionalInterface
  private interface Answer<T> {
    T of(Found found, ResultSet rows) throws SQLException;
  }

  private <T> T ask(AccountId id, SqlQuery query, Answer<T> answer) {
    // Before the question whether the account is locked, or it would prove nothing.
    Instant ownNow = timeSource == null ? null : timeSource.now().truncatedTo(ChronoUnit.MICROS);
    SqlQuery quiet = new SqlQuery().add("SELECT " + schema + ".quiet_since(?)", id.value());
    return session.askInOrder(
        "reading the balance of " + id,
        quiet,
        query,
        (quietRow, rows) -> {
          if (!quietRow.next() || !rows.next()) {
            throw new UnknownAccountException(id);
          }
          Instant quietSince = TransferRows.instantOrNull(quietRow, 1);
          return answer.of(found(rows, quietSince, ownNow), rows);
        });
  }

  private static Found found(ResultSet row, @Nullable Instant quietSince, @Nullable Instant ownNow)
      throws SQLException {
    Instant openedAt = TransferRows.instant(row, 4);
    Instant last = TransferRows.instantOrNull(row, 5);
    Instant next = last == null || last.isBefore(openedAt) ? openedAt : last;
    Instant quiet = quietSince == null || ownNow == null ? quietSince : ownNow;
    if (quiet != null && quiet.isAfter(next)) {
      next = quiet;
    }
    return new Found(
        new AccountId(row.getString(1)),
        new AssetCode(row.getString(2)),
        row.getInt(3),
        openedAt,
        last,
        ownNow == null ? TransferRows.instant(row, 6) : ownNow,
        next.minus(1, ChronoUnit.MICROS));
  }

  private static BalanceReading reading(Found found, ResultSet row) throws SQLException {
    AccountBalance state =
        AccountStates.balance(found.id(), found.asset(), found.normal(), row, HEAD_COLUMNS + 1);
    return new BalanceReading(state, found.settledUntil());
  }

  private static void requireKnown(String field, Instant at, Found found) {
    if (at.isBefore(found.openedAt())) {
      throw new MisuseException(
          field, at + " is before " + found.id() + " was opened, at " + found.openedAt());
    }
    Instant last = found.lastRecordedAt();
    if (at.isAfter(found.now()) && (last == null || at.isAfter(last))) {
      throw new MisuseException(
          field, at + " has not come yet, the ledger's time is " + found.now());
    }
  }
}
