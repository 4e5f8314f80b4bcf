package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.LedgerEvent;
import dev.partita.Page;
import dev.partita.StatementQuery;
import dev.partita.TimeSource;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * All the reading of a ledger. Takes a connection for each question and gives it back at once;
 * never waits for writers but a moment in {@link #journal} and {@link #feed}. Safe for use by
 * several threads.
 */
final class PostgresReads {

  private final AccountReads accounts;
  private final BalanceReads balances;
  private final TransferReads transfers;
  private final FindReads finds;
  private final JournalReads journal;
  private final FeedReads feed;

  /**
   * Reads of a ledger.
   *
   * @param dataSource connections outside any transaction
   * @param timeSource engine time, or null for the database's clock
   */
  PostgresReads(DataSource dataSource, String schema, @Nullable TimeSource timeSource) {
    PostgresSchema.requireName(schema);
    ReadSession session = new ReadSession(dataSource);
    BatchWindows windows = new BatchWindows(schema);
    accounts = new AccountReads(session, schema, timeSource);
    balances = new BalanceReads(session, schema, timeSource);
    transfers = new TransferReads(session, schema);
    finds = new FindReads(session, schema, windows);
    FinalPosition finalPosition = new FinalPosition(schema);
    journal = new JournalReads(session, windows, finalPosition);
    feed = new FeedReads(session, schema, windows, finalPosition);
  }

  List<Asset> assets() {
    return accounts.assets();
  }

  Optional<Account> account(AccountId id) {
    return accounts.account(id);
  }

  Page<Account> accounts(AccountQuery query) {
    return accounts.accounts(query);
  }

  Page<AccountChange> changes(AccountId account, @Nullable String cursor, int limit) {
    return accounts.changes(account, cursor, limit);
  }

  BalanceReading balance(AccountId account) {
    return balances.now(account);
  }

  BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt) {
    return balances.asRecorded(account, recordedAt);
  }

  EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt) {
    return balances.asEffective(account, effectiveAt, null);
  }

  EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt, Instant knownAt) {
    return balances.asEffective(account, effectiveAt, knownAt);
  }

  Page<Entry> statement(StatementQuery query) {
    return transfers.statement(query);
  }

  List<Transfer> transfers(List<UUID> ids) {
    return transfers.transfers(ids);
  }

  Page<Transfer> find(TransferQuery query) {
    return finds.find(query);
  }

  Page<Hold> holds(HoldQuery query) {
    return finds.holds(query);
  }

  Page<Transfer> journal(@Nullable String cursor, int limit) {
    return journal.journal(cursor, limit);
  }

  Page<LedgerEvent> feed(@Nullable String cursor, int limit) {
    return feed.feed(cursor, limit);
  }

  TrialBalance trialBalance() {
    return accounts.trialBalance();
  }
}
