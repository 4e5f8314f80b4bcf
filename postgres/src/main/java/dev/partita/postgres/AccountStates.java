package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountBalance;
import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.Counters;
import dev.partita.Limits;
import dev.partita.MisuseException;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How accounts and their states are read. An account's row holds no state: the state is that of its
 * newest record, which is the newer of the newest it was debited by and the newest it was credited
 * by.
 */
final class AccountStates {

  /** Columns of {@code account a} for {@link #account}; a state's columns come right after. */
  static final String ACCOUNT_COLUMNS =
      """
      a.id, a.asset, a.normal, a.code, a.min_balance, a.max_balance, a.metadata::text,
      a.opened_at, a.closed_at, a.last_change\
      """;

  private static final int ACCOUNT_COLUMN_COUNT = 10;

  private AccountStates() {}

  /** Columns of a state under an alias: version, four counters, recorded_at. */
  static String stateColumns(String alias) {
    return "%1$s.version, %1$s.dp, %1$s.cp, %1$s.dh, %1$s.ch, %1$s.recorded_at".formatted(alias);
  }

  /** A LATERAL subquery with the newest state of {@code account a}; no row if it has none. */
  static String newest(String schema) {
    return """
        (SELECT * FROM (
          (SELECT t.debit_version AS version, t.recorded_at, t.debit_debits_posted AS dp,
                  t.debit_credits_posted AS cp, t.debit_debits_pending AS dh,
                  t.debit_credits_pending AS ch
           FROM %1$s.transfer t WHERE t.debit_no = a.no ORDER BY t.debit_version DESC LIMIT 1)
          UNION ALL
          (SELECT t.credit_version, t.recorded_at, t.credit_debits_posted, t.credit_credits_posted,
                  t.credit_debits_pending, t.credit_credits_pending
           FROM %1$s.transfer t WHERE t.credit_no = a.no ORDER BY t.credit_version DESC LIMIT 1)) s
         ORDER BY s.version DESC LIMIT 1)\
        """
        .formatted(schema);
  }

  /** A LATERAL subquery with the state of {@code account a} at a version. */
  static String at(String schema, String version) {
    return """
        (SELECT t.debit_version AS version, t.recorded_at, t.debit_debits_posted AS dp,
                t.debit_credits_posted AS cp, t.debit_debits_pending AS dh,
                t.debit_credits_pending AS ch
         FROM %1$s.transfer t WHERE t.debit_no = a.no AND t.debit_version = %2$s
         UNION ALL
         SELECT t.credit_version, t.recorded_at, t.credit_debits_posted, t.credit_credits_posted,
                t.credit_debits_pending, t.credit_credits_pending
         FROM %1$s.transfer t WHERE t.credit_no = a.no AND t.credit_version = %2$s)\
        """
        .formatted(schema, version);
  }

  /** Reads {@link #ACCOUNT_COLUMNS} and a state's columns. */
  static Account account(ResultSet row) throws SQLException {
    try {
      AccountId id = new AccountId(row.getString(1));
      AssetCode asset = new AssetCode(row.getString(2));
      return new Account(
          id,
          new Limits(Numerics.balanceOrNull(row, 5), Numerics.balanceOrNull(row, 6)),
          row.getInt(4),
          MetadataJson.read(row.getString(7)),
          balance(id, asset, row.getInt(3), row, ACCOUNT_COLUMN_COUNT + 1),
          TransferRows.instant(row, 8),
          TransferRows.instantOrNull(row, 9),
          row.getLong(10));
    } catch (MisuseException e) {
      throw TransferRows.corrupt("account " + row.getString(1), e);
    }
  }

  /** Reads a state's columns, all null if the account had no record. */
  static AccountBalance balance(
      AccountId id, AssetCode asset, int normal, ResultSet row, int firstColumn)
      throws SQLException {
    long version = row.getLong(firstColumn);
    Counters counters = version == 0 ? Counters.ZERO : TransferRows.counters(row, firstColumn + 1);
    return new AccountBalance(id, asset, TransferRows.side(normal), version, counters);
  }
}
