package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.BalanceReading;
import dev.partita.Ids;
import dev.partita.Ledger;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.Page;
import dev.partita.PostRequest;
import dev.partita.Progress;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.VerifyReport;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What a reader is told to be final stays as it is, whatever writers are at. */
class FinalityTest {

  private static final AssetCode EUR = new AssetCode("EUR");
  private static final AccountId A = AccountId.of("a");
  private static final AccountId B = AccountId.of("b");

  private String schema;
  private PostgresReads reads;

  @BeforeEach
  void openTwoAccounts() throws SQLException {
    schema = TestServer.freshSchema();
    reads = new PostgresReads(TestServer.application(), schema, null);
    try (Connection connection = TestServer.connect()) {
      run(connection, "INSERT INTO %s.asset VALUES ('EUR', 2)");
      run(
          connection,
          "INSERT INTO %s.account (opened_at, code, normal, id, asset) VALUES"
              + " (clock_timestamp(), 0, 1, 'a', 'EUR'), (clock_timestamp(), 0, 1, 'b', 'EUR')");
    }
  }

  @AfterEach
  void drop() {
    TestServer.drop(schema);
  }

  private void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.replace("%s", schema));
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = TestServer.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private void lock(Connection connection) throws SQLException {
    run(connection, "SELECT * FROM %s.account WHERE no IN (1, 2) ORDER BY no FOR NO KEY UPDATE");
  }

  private static Instant clock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT clock_timestamp()")) {
      rows.next();
      return rows.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  /** Takes a batch number, as writers do after they have their locks. */
  private long takeBatch(Connection connection) throws SQLException {
    return Mirror.nextBatch(connection, schema);
  }

  /** Records a transfer of 1 from a to b as version {@code version} of both. */
  private void record(Connection connection, long batch, long version, Instant at)
      throws SQLException {
    run(
        connection,
        "INSERT INTO %s.transfer (batch, recorded_at, debit_version, credit_version, debit_no,"
            + " credit_no, batch_index, kind, flags, id, amount, debit_debits_posted,"
            + " credit_credits_posted) VALUES ("
            + batch
            + ", '"
            + at
            + "', "
            + version
            + ", "
            + version
            + ", 1, 2, 0, 0, 15, gen_random_uuid(), 1, "
            + version
            + ", "
            + version
            + ")");
  }

  @Test
  void settlesAtOnceWhereNobodyWrites() throws SQLException {
    try (Connection connection = begin()) {
      Instant before = clock(connection);
      assertThat(reads.balance(A).settledUntil()).isAfterOrEqualTo(before.minusNanos(1_000));
      lock(connection);
      record(connection, takeBatch(connection), 1, clock(connection));
      connection.commit();
      Instant after = clock(connection);
      BalanceReading reading = reads.balance(A);
      assertThat(reading.state().version()).isEqualTo(1);
      assertThat(reading.settledUntil()).isAfterOrEqualTo(after.minusNanos(1_000));
      lock(connection);
      connection.rollback();
      after = clock(connection);
      assertThat(reads.balance(A).settledUntil()).isAfterOrEqualTo(after.minusNanos(1_000));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "savepoint", "shared", "shared first", "prepared", "updated"})
  void doesNotSettleWhatALockHolderMayStillRecord(String how) throws SQLException {
    try (Connection writer = begin();
        Connection other = begin()) {
      if (how.equals("shared first")) {
        run(other, "SELECT * FROM %s.account WHERE no = 1 FOR KEY SHARE");
      }
      run(writer, "SELECT pg_current_xact_id()");
      if (how.equals("savepoint")) {
        run(writer, "SAVEPOINT s");
      }
      lock(writer);
      if (how.equals("updated")) {
        run(writer, "UPDATE %s.account SET min_balance = min_balance WHERE no = 1");
      }
      if (how.equals("shared")) {
        run(other, "SELECT * FROM %s.account WHERE no = 1 FOR KEY SHARE");
      }
      Instant recordedAt = clock(writer);
      record(writer, takeBatch(writer), 1, recordedAt);
      // A later transaction that ends earlier, so that the writer's is not simply the newest.
      try (Connection later = TestServer.connect()) {
        run(later, "SELECT pg_current_xact_id()");
      }
      if (how.equals("prepared")) {
        run(writer, "PREPARE TRANSACTION '%s'");
      }
      BalanceReading before = reads.balance(A);
      assertThat(before.state().version()).isZero();
      assertThat(before.settledUntil()).isBefore(recordedAt);
      assertThat(reads.balanceAsRecorded(A, recordedAt).settledUntil()).isBefore(recordedAt);
      if (how.equals("prepared")) {
        writer.setAutoCommit(true);
        run(writer, "COMMIT PREPARED '%s'");
      } else {
        writer.commit();
      }
      other.commit();
      BalanceReading after = reads.balanceAsRecorded(A, recordedAt);
      assertThat(after.state().version()).isEqualTo(1);
      assertThat(after.settledUntil()).isAfterOrEqualTo(recordedAt.minusNanos(1_000));
    }
  }

  @Test
  void claimsAsMuchWhereSessionsBeginWithAnotherIsolation() throws SQLException {
    PGSimpleDataSource repeatable = (PGSimpleDataSource) TestServer.application("repeatable");
    repeatable.setOptions("-c default_transaction_isolation=repeatable\\ read");
    PostgresReads careful = new PostgresReads(repeatable, schema, null);
    Instant before = reads.balance(A).settledUntil();
    assertThat(before).isAfter(reads.account(A).orElseThrow().openedAt());
    assertThat(careful.balance(A).settledUntil()).isAfterOrEqualTo(before);
  }

  @Test
  void endsTheJournalBeforeWhatIsUnderWay() throws SQLException {
    try (Connection slow = begin();
        Connection fast = begin()) {
      long first = takeBatch(slow);
      long second = takeBatch(fast);
      record(fast, second, 2, clock(fast));
      fast.commit();
      Page<Transfer> page = reads.journal(null, 10);
      assertThat(page.items()).isEmpty();
      assertThat(reads.journal(page.next(), 10)).isEqualTo(page);
      record(slow, first, 1, clock(slow));
      assertThat(reads.journal(page.next(), 10)).isEqualTo(page);
      slow.commit();
      Page<Transfer> both = reads.journal(page.next(), 10);
      assertThat(both.items())
          .extracting(transfer -> transfer.debitAfter().version())
          .containsExactly(1L, 2L);
      assertThat(reads.journal(both.next(), 10).items()).isEmpty();
    }
  }

  @Test
  void goesOnAfterABatchThatCameToNothing() throws SQLException {
    try (Connection slow = begin();
        Connection fast = begin()) {
      takeBatch(slow);
      record(fast, takeBatch(fast), 1, clock(fast));
      fast.commit();
      Page<Transfer> page = reads.journal(null, 10);
      assertThat(page.items()).isEmpty();
      slow.rollback();
      assertThat(reads.journal(page.next(), 10).items()).hasSize(1);
    }
  }

  @Test
  void doesNotWaitForTransactionsThatHaveNoBatch() throws SQLException {
    try (Connection unrelated = begin();
        Connection writer = begin()) {
      run(unrelated, "SELECT pg_current_xact_id()");
      run(unrelated, "SELECT * FROM %s.account FOR NO KEY UPDATE");
      record(writer, takeBatch(writer), 1, clock(writer));
      writer.commit();
      assertThat(reads.journal(null, 10).items()).hasSize(1);
    }
  }

  /** A position found final stays so; each call waits for the writers that the one before found. */
  @Test
  void makesProgressThoughSomebodyIsAlwaysWriting() throws SQLException {
    Connection current = begin();
    String cursor = null;
    int seen = 0;
    for (int version = 1; version <= 5; version++) {
      record(current, takeBatch(current), version, clock(current));
      Connection next = begin();
      takeBatch(next);
      current.commit();
      current.close();
      current = next;
      Page<Transfer> page = reads.journal(cursor, 10);
      cursor = page.next();
      seen += page.items().size();
    }
    assertThat(seen).isGreaterThanOrEqualTo(3);
    current.rollback();
    current.close();
    assertThat(seen + reads.journal(cursor, 10).items().size()).isEqualTo(5);
  }

  @Test
  void holdsWhileManyWrite() throws InterruptedException {
    PostgresConfig config =
        PostgresConfig.builder().schema(schema).lanes(2).sweepInterval(null).build();
    try (PostgresLedger ledger = PostgresLedger.open(TestServer.application(), config)) {
      List<AccountId> accounts = openMore(ledger);
      AtomicBoolean stop = new AtomicBoolean();
      List<Thread> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int seed = w;
        writers.add(Thread.startVirtualThread(() -> write(ledger, accounts, seed, stop)));
      }
      writers.add(Thread.ofPlatform().start(() -> writeInTransactions(ledger, accounts, stop)));
      Map<Instant, BalanceReading> claims = new LinkedHashMap<>();
      List<Transfer> journal = new ArrayList<>();
      String cursor = null;
      Instant end = Instant.now().plus(Duration.ofSeconds(4));
      while (Instant.now().isBefore(end)) {
        Instant settled = ledger.balance(A).settledUntil();
        if (!settled.isBefore(ledger.account(A).orElseThrow().openedAt())) {
          claims.put(settled, ledger.balanceAsRecorded(A, settled));
        }
        Page<Transfer> page = ledger.journal(cursor, 500);
        journal.addAll(page.items());
        cursor = page.next();
      }
      VerifyReport report = ledger.verify(Progress.NONE);
      assertThat(report.violations()).isEmpty();
      assertThat(report.transfers()).isPositive();
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      claims.forEach(
          (settled, reading) ->
              assertThat(ledger.balanceAsRecorded(A, settled).state()).isEqualTo(reading.state()));
      assertThat(claims.size()).isGreaterThan(10);
      readOn(ledger, journal, cursor);
      List<Transfer> whole = new ArrayList<>();
      readOn(ledger, whole, null);
      assertThat(journal).isEqualTo(whole);
      assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
      assertThat(ledger.verify(Progress.NONE).transfers()).isEqualTo(whole.size());
    }
  }

  private static void readOn(Ledger ledger, List<Transfer> into, String from) {
    Page<Transfer> page = ledger.journal(from, 1_000);
    while (!page.items().isEmpty()) {
      into.addAll(page.items());
      page = ledger.journal(page.next(), 1_000);
    }
  }

  private static List<AccountId> openMore(Ledger ledger) {
    ledger.register(List.of(Asset.iso("EUR")));
    List<AccountId> accounts = new ArrayList<>(List.of(A, B));
    List<NewAccount> more = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      AccountId id = AccountId.of("c:" + i);
      accounts.add(id);
      more.add(new NewAccount(id, EUR, Side.CREDIT, Limits.NONE, 0, Metadata.EMPTY));
    }
    ledger.open(more);
    return accounts;
  }

  private static void write(Ledger ledger, List<AccountId> accounts, int seed, AtomicBoolean stop) {
    Random random = new Random(seed);
    List<UUID> holds = new ArrayList<>();
    while (!stop.get()) {
      if (seed == 0) {
        ledger.expireDue(10);
      }
      UUID id = Ids.timeOrdered(Instant.now(), random);
      AccountId debit = accounts.get(random.nextInt(accounts.size()));
      AccountId credit = accounts.get(random.nextInt(accounts.size()));
      Amount amount = Amount.ofMinor(random.nextInt(100));
      TransferRequest request =
          switch (random.nextInt(4)) {
            case 0 -> TransferRequest.pending(id, EUR, debit, credit, amount).timeoutSeconds(2);
            case 1 ->
                holds.isEmpty()
                    ? TransferRequest.direct(id, EUR, debit, credit, amount)
                    : TransferRequest.capture(id, holds.removeLast());
            default -> TransferRequest.direct(id, EUR, debit, credit, amount);
          };
      if (ledger.post(request).status().isRecorded() && request.kind().name().equals("PENDING")) {
        holds.add(id);
      }
    }
  }

  private static void writeInTransactions(
      PostgresLedger ledger, List<AccountId> accounts, AtomicBoolean stop) {
    Random random = new Random(99);
    try (Connection connection = TestServer.connect()) {
      connection.setAutoCommit(false);
      while (!stop.get()) {
        UUID id = Ids.timeOrdered(Instant.now(), random);
        TransferRequest request =
            TransferRequest.direct(
                id, EUR, accounts.get(0), accounts.get(1 + random.nextInt(3)), Amount.ofMinor(1));
        ledger.inTransaction(connection).post(PostRequest.of(request));
        Thread.sleep(random.nextInt(10)); // tidy: how long a caller dawdles, waited for by nobody
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
