package dev.partita.postgres;

import dev.partita.Account;
import dev.partita.AccountChange;
import dev.partita.AccountId;
import dev.partita.AccountQuery;
import dev.partita.Asset;
import dev.partita.BalanceReading;
import dev.partita.ChangeRequest;
import dev.partita.ChangeResult;
import dev.partita.EffectiveReading;
import dev.partita.Entry;
import dev.partita.Hold;
import dev.partita.HoldQuery;
import dev.partita.Ledger;
import dev.partita.LedgerEvent;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.Page;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.Progress;
import dev.partita.RegisterResult;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import dev.partita.TransferQuery;
import dev.partita.TrialBalance;
import dev.partita.VerifyReport;
import dev.partita.rules.Restorable;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a schema of a PostgreSQL database, 15 to 18, durable as the server is.
 *
 * <p>Posts by group commit without a timer: every caller makes one call and gets its own answer;
 * what arrives while one batch is committed makes the next. {@link #inTransaction} posts inside the
 * caller's own transaction instead.
 *
 * <p>Any number of ledgers, in any number of processes, may work on one schema. Safe for use by any
 * number of threads. Takes {@code lanes} connections of the data source for as long as it is open,
 * and one more for each read or account operation at a time; lanes need session connections, not
 * ones through transaction pooling.
 */
public final class PostgresLedger implements Ledger, Restorable {

  private final Writer writer;
  private final AccountWriter accounts;
  private final PostgresReads reads;
  private final PostgresVerifier verifier;
  private final DatabaseWatch watch;
  private final @Nullable Sweeper sweeper;
  private final List<String> warnings;

  private PostgresLedger(
      DataSource dataSource,
      PostgresConfig config,
      EngineListener listener,
      List<String> warnings) {
    this.writer = new Writer(dataSource, config, listener);
    this.accounts = new AccountWriter(dataSource, config, writer.lookUp());
    this.reads = new PostgresReads(dataSource, config.schema(), config.timeSource());
    this.verifier = new PostgresVerifier(dataSource, config.schema());
    this.watch = new DatabaseWatch(dataSource, config, writer.gate());
    Duration sweepInterval = config.sweepInterval();
    this.sweeper = sweepInterval == null ? null : new Sweeper(writer, sweepInterval);
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Opens the ledger in {@code config.schema()}, made before by {@link PostgresSchema#migrate}.
   *
   * @param dataSource connections of a role with the rights that {@link PostgresSchema#grants}
   *     lists; it is not closed with the ledger
   * @throws MisuseException if the server is too old, or the schema missing, older or too new; the
   *     message says what to do
   * @throws dev.partita.UnavailableException if the database cannot be reached
   * @throws dev.partita.CorruptionException if the journal's sequence is behind what is recorded
   */
  public static PostgresLedger open(DataSource dataSource, PostgresConfig config) {
    return open(dataSource, config, EngineListener.NONE);
  }

  /**
   * As {@link #open(DataSource, PostgresConfig)}, with a listener that counts what the lanes do.
   *
   * @param listener called by the lanes' own threads, from the first batch on
   */
  public static PostgresLedger open(
      DataSource dataSource, PostgresConfig config, EngineListener listener) {
    List<String> warnings = StartupChecks.run(dataSource, config);
    new PostgresSchema(dataSource, config.schema()).requireUsable();
    StartupChecks.requirePositions(dataSource, config.schema());
    PostgresLedger ledger = new PostgresLedger(dataSource, config, listener, warnings);
    try {
      ledger.start(config);
    } catch (RuntimeException e) {
      ledger.close();
      throw e;
    }
    return ledger;
  }

  private void start(PostgresConfig config) {
    writer.start();
    if (sweeper != null) {
      Thread.ofPlatform().daemon().name("partita-sweeper-" + config.schema()).start(sweeper);
    }
  }

  /** What was found at opening that can lose acknowledged transfers; empty is well. */
  public List<String> warnings() {
    return warnings;
  }

  /** How the queue and the lanes are now. Reads nothing from the database and does not wait. */
  public EngineState engineState() {
    return writer.state();
  }

  /**
   * Asks the database whether this node can write to it. Waits for a connection of the data source,
   * and then at most 5 s. Never throws for what is wrong with the database: that is the answer.
   */
  public DatabaseCondition databaseCondition() {
    return watch.condition();
  }

  /**
   * Reads from the database what is worth watching, in one statement of at most 3 s. Waits for a
   * connection of the data source, and then at most 5 s.
   *
   * @throws dev.partita.UnavailableException if there is no answer
   */
  public DatabaseReading databaseReading() {
    return watch.reading();
  }

  /**
   * Posts inside the caller's own transaction, which the caller commits or rolls back.
   *
   * @param connection a connection to this ledger's database, not in auto-commit
   */
  public InTransaction inTransaction(Connection connection) {
    return writer.inTransaction(connection);
  }

  @Override
  public List<RegisterResult> register(List<Asset> assets) {
    writer.requireWritable();
    return accounts.register(assets);
  }

  @Override
  public List<OpenResult> open(List<NewAccount> newAccounts) {
    writer.requireWritable();
    return accounts.open(newAccounts);
  }

  @Override
  public ChangeResult change(ChangeRequest change) {
    writer.requireWritable();
    return accounts.change(change);
  }

  @Override
  public PostResult post(PostRequest request) {
    return writer.post(request);
  }

  @Override
  public CompletableFuture<PostResult> submit(PostRequest request) {
    return writer.submit(request);
  }

  @Override
  public List<Transfer> expireDue(int limit) {
    return writer.expireDue(limit);
  }

  @Override
  public List<Asset> assets() {
    return reads().assets();
  }

  @Override
  public Optional<Account> account(AccountId id) {
    return reads().account(id);
  }

  @Override
  public Page<Account> accounts(AccountQuery query) {
    return reads().accounts(query);
  }

  @Override
  public Page<AccountChange> changes(AccountId account, @Nullable String cursor, int limit) {
    return reads().changes(account, cursor, limit);
  }

  @Override
  public BalanceReading balance(AccountId account) {
    return reads().balance(account);
  }

  @Override
  public BalanceReading balanceAsRecorded(AccountId account, Instant recordedAt) {
    return reads().balanceAsRecorded(account, recordedAt);
  }

  @Override
  public EffectiveReading balanceAsEffective(AccountId account, Instant effectiveAt) {
    return reads().balanceAsEffective(account, effectiveAt);
  }

  @Override
  public EffectiveReading balanceAsEffective(
      AccountId account, Instant effectiveAt, Instant knownAt) {
    return reads().balanceAsEffective(account, effectiveAt, knownAt);
  }

  @Override
  public Page<Entry> statement(StatementQuery query) {
    return reads().statement(query);
  }

  @Override
  public List<Transfer> transfers(List<UUID> ids) {
    return reads().transfers(ids);
  }

  @Override
  public Page<Transfer> find(TransferQuery query) {
    return reads().find(query);
  }

  @Override
  public Page<Hold> holds(HoldQuery query) {
    return reads().holds(query);
  }

  @Override
  public Page<Transfer> journal(@Nullable String cursor, int limit) {
    return reads().journal(cursor, limit);
  }

  @Override
  public Page<LedgerEvent> feed(@Nullable String cursor, int limit) {
    return reads().feed(cursor, limit);
  }

  @Override
  public TrialBalance trialBalance() {
    return reads().trialBalance();
  }

  @Override
  public VerifyReport verify(Progress progress) {
    writer.requireOpen();
    return verifier.run(progress);
  }

  @Override
  public void restoreAccounts(List<OpenedAccount> opened) {
    writer.requireWritable();
    accounts.restore(opened);
  }

  @Override
  public void restoreChange(AccountChange change) {
    writer.requireWritable();
    accounts.restore(change);
  }

  @Override
  public void restoreTransfers(List<Transfer> records) {
    writer.requireWritable();
    writer.restore(records);
  }

  @Override
  public void close() {
    if (sweeper != null) {
      sweeper.close();
    }
    writer.close();
  }

  private PostgresReads reads() {
    writer.requireOpen();
    return reads;
  }
}
