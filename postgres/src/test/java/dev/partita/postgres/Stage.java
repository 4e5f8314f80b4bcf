package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.OpenResult;
import dev.partita.TransferRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A fresh schema with what most tests of writing need: nodes on it, short words for requests,
 * sessions that hold locks, and a look at what is stored that goes through none of the code under
 * test.
 */
final class Stage implements AutoCloseable {

  static final AssetCode EUR = new AssetCode("EUR");

  /** How long a condition may take: much longer than it does, for a machine that is busy. */
  static final Duration DEADLINE = Duration.ofSeconds(60);

  private final String schema = TestServer.freshSchema();
  private final List<PostgresLedger> nodes = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<HikariDataSource> pools = new ArrayList<>();
  private Connection monitor;

  String schema() {
    return schema;
  }

  /** The configuration of a node that expires nothing by itself. */
  PostgresConfig.Builder config() {
    return PostgresConfig.builder().schema(schema).sweepInterval(null);
  }

  /** Opens a node whose sessions carry this name. */
  PostgresLedger node(String name) {
    return node(name, config());
  }

  PostgresLedger node(String name, PostgresConfig.Builder config) {
    return node(pool(name), config);
  }

  /** A pool as applications have one, so that nothing waits for new connections. */
  DataSource pool(String name) {
    HikariDataSource pool = newPool(name);
    pools.add(pool);
    return pool;
  }

  private static HikariDataSource newPool(String name) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource(name));
    config.setPoolName(name);
    config.setMinimumIdle(1);
    config.setMaximumPoolSize(20);
    return new HikariDataSource(config);
  }

  /** The test's own sessions, kept: logging in is slow. */
  private static final class Sessions {
    static final HikariDataSource POOL = newPool("test");
  }

  PostgresLedger node(DataSource dataSource, PostgresConfig.Builder config) {
    return keep(PostgresLedger.open(dataSource, config.build()));
  }

  /** Closes a node together with the stage. */
  PostgresLedger keep(PostgresLedger node) {
    nodes.add(node);
    return node;
  }

  /** Connections of the ledger's role under an application name. */
  static DataSource dataSource(String applicationName) {
    return TestServer.application(applicationName);
  }

  /** Registers EUR and opens accounts that may go below zero. */
  static void open(PostgresLedger node, String... ids) {
    open(node, Limits.NONE, ids);
  }

  /** Registers EUR and opens accounts. */
  static void open(PostgresLedger node, Limits limits, String... ids) {
    node.register(List.of(new Asset(EUR, 2)));
    List<NewAccount> accounts = new ArrayList<>();
    for (String id : ids) {
      accounts.add(NewAccount.of(id, "EUR").limits(limits));
    }
    assertThat(node.open(accounts))
        .allSatisfy(result -> assertThat(result.status()).isEqualTo(OpenResult.Status.CREATED));
  }

  static TransferRequest direct(UUID id, String debit, String credit, long amount) {
    return TransferRequest.direct(
        id, EUR, AccountId.of(debit), AccountId.of(credit), Amount.ofMinor(amount));
  }

  static TransferRequest direct(String debit, String credit, long amount) {
    return direct(UUID.randomUUID(), debit, credit, amount);
  }

  static TransferRequest pending(UUID id, String debit, String credit, long amount) {
    return TransferRequest.pending(
        id, EUR, AccountId.of(debit), AccountId.of(credit), Amount.ofMinor(amount));
  }

  /** Runs something beside the test. */
  <T> Future<T> start(Callable<T> task) {
    return threads.submit(task);
  }

  /** A session of the ledger's role with a transaction begun. */
  static Connection begin() throws SQLException {
    Connection connection = Sessions.POOL.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Locks accounts as the ledger does, until the transaction ends. */
  void lock(Connection connection, String... ids) throws SQLException {
    String sql =
        "SELECT no FROM %s.account WHERE id = ANY(?) ORDER BY no FOR NO KEY UPDATE"
            .formatted(schema);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", ids));
      try (ResultSet rows = statement.executeQuery()) {
        int count = 0;
        while (rows.next()) {
          count++;
        }
        assertThat(count).isEqualTo(ids.length);
      }
    }
  }

  /** Waits until every one of these sessions waits for a lock, all at the same moment. */
  void awaitWaiting(String... applicationNames) {
    until(() -> waiting(applicationNames) >= applicationNames.length);
  }

  /** Waits until no session of this name waits for a lock. */
  void awaitNotWaiting(String applicationName) {
    until(() -> waiting(applicationName) == 0);
  }

  /** Waits until a session of this name waits for the standby, and answers its process number. */
  long awaitStandbyWait(String applicationName) {
    AtomicLong pid = new AtomicLong();
    until(
        () -> {
          pid.set(waitingForStandby(applicationName));
          return pid.get() != 0;
        });
    return pid.get();
  }

  /** The process number of a session of this name that waits for the standby, or 0. */
  long waitingForStandby(String applicationName) throws SQLException {
    try (PreparedStatement statement =
        monitor()
            .prepareStatement(
                "SELECT coalesce(max(pid), 0) FROM pg_stat_activity"
                    + " WHERE application_name = ? AND wait_event = 'SyncRep'")) {
      statement.setString(1, applicationName);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Cancels what a session is at; a wait for a standby ends with a warning, not an error. */
  void cancel(long pid) throws SQLException {
    try (Statement statement = monitor().createStatement()) {
      statement.execute("SELECT pg_cancel_backend(" + pid + ")");
    }
  }

  /** Ends the sessions of this name, as an administrator would; returns when they are gone. */
  void terminate(String applicationName) throws SQLException {
    try (PreparedStatement statement =
        monitor()
            .prepareStatement(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                    + " WHERE application_name = ?")) {
      statement.setString(1, applicationName);
      statement.execute();
    }
  }

  /** Waits for a condition, looking often. */
  static void until(Callable<Boolean> condition) {
    await()
        .atMost(DEADLINE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(condition);
  }

  private long waiting(String... applicationNames) throws SQLException {
    try (PreparedStatement statement =
        monitor()
            .prepareStatement(
                "SELECT count(DISTINCT application_name) FROM pg_stat_activity"
                    + " WHERE application_name = ANY(?) AND wait_event_type = 'Lock'")) {
      statement.setArray(1, monitor().createArrayOf("text", applicationNames));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** One session to look on with; only the test's own thread looks. */
  private Connection monitor() throws SQLException {
    if (monitor == null) {
      monitor = dataSource("monitor").getConnection();
    }
    return monitor;
  }

  /** One number from the database, asked by the owner; {@code %s} is the schema. */
  long number(String sql) {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql.replace("%s", schema))) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** What the database's clock says. */
  Instant now() {
    return Instant.ofEpochSecond(
        0, 1_000 * number("SELECT extract(epoch FROM clock_timestamp()) * 1000000"));
  }

  /** Does something as the owner; {@code %s} is the schema. */
  void execute(String sql) {
    try (Connection connection = TestServer.owner().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.replace("%s", schema));
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** How many transfers are stored. */
  long transfers() {
    return number("SELECT count(*) FROM %s.transfer");
  }

  /** How many transfers of this id are stored: 0 or 1. */
  long stored(UUID id) {
    return number("SELECT count(*) FROM %s.transfer WHERE id = '" + id + "'");
  }

  /** What an account has, credits less debits, from the sum of its records. */
  long sumOf(String account) {
    return number(
        """
        SELECT coalesce(sum(CASE WHEN t.kind NOT IN (0, 2, 5) THEN 0
                                 WHEN t.credit_no = a.no THEN t.amount ELSE -t.amount END), 0)
        FROM %s.account a JOIN %s.transfer t ON a.no IN (t.debit_no, t.credit_no)
        WHERE a.id = '\
        """
            + account
            + "'");
  }

  /** Checks that all that is stored adds up. */
  void reconcile() {
    assertThat(Reconciliation.of(TestServer.owner(), schema)).isEmpty();
  }

  @Override
  public void close() throws SQLException {
    nodes.forEach(PostgresLedger::close);
    threads.shutdownNow();
    pools.forEach(HikariDataSource::close);
    if (monitor != null) {
      monitor.close();
    }
  }
}
