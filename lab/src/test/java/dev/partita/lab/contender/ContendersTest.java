package dev.partita.lab.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Ids;
import dev.partita.MisuseException;
import dev.partita.Progress;
import dev.partita.embedded.ScratchDatabase;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.ClosedLoop;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Source;
import dev.partita.lab.load.Window;
import dev.partita.lab.load.Worker;
import dev.partita.lab.reconcile.Journal;
import dev.partita.lab.reconcile.Reconciliation;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.workload.Picker;
import dev.partita.lab.workload.Transfers;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every contender makes the transfers that it says it made, and the reconciliation would notice.
 */
class ContendersTest {

  private static final int ACCOUNTS = 100;

  /** Without a warm-up, in which a deadlock could go uncounted. */
  private static final Window SHORT = Window.of(Duration.ZERO, Duration.ofMillis(600));

  private static ScratchDatabase database;
  private static int schemas;

  @BeforeAll
  static void start() throws Exception {
    database =
        ScratchDatabase.embedded(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-lab-" + System.nanoTime()),
            "lab",
            UnaryOperator.identity());
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  static Stream<Contender> contenders() {
    return Stream.of(
        new Naive(Naive.Order.HOT_FIRST),
        new Naive(Naive.Order.HOT_LAST),
        new ReadModifyWrite(),
        new OneStatement(),
        new StoredFunction(),
        new SubAccounts(16),
        new EntriesOnly(),
        new CallerBatches(),
        new TimerBatches(Duration.ofMillis(20)),
        new Partita(),
        new PartitaInTransaction(),
        new PartitaHttp(PartitaHttp.Client.PLAIN),
        new PartitaHttp(PartitaHttp.Client.JAVA),
        new Ceiling());
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void storesWhatItSaysSingly(Contender contender) throws Exception {
    assertClean(contender, 1);
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void storesWhatItSaysInBatches(Contender contender) throws Exception {
    assertClean(contender, 10);
  }

  private static void assertClean(Contender contender, int batch) throws Exception {
    Arena arena = arena();
    Journal journal = new Journal();
    try (Stage stage = contender.stage(arena)) {
      Measured measured = load(stage, journal, batch);
      assertThat(measured.brokenIdentities()).isEmpty();
      assertThat(measured.count(Outcome.ERROR)).isZero();
      assertThat(measured.count(Outcome.INDETERMINATE)).isZero();
      assertThat(journal.size()).isPositive();
      List<CheckResult> checks = Reconciliation.run(arena, stage.stored(), journal);
      assertThat(checks).hasSizeGreaterThanOrEqualTo(4).allMatch(check -> check.broken() == 0);
    }
  }

  static Stream<Contender> contendersThatLockInOrder() {
    return Stream.of(
        new Naive(Naive.Order.HOT_FIRST),
        new Naive(Naive.Order.HOT_LAST),
        new ReadModifyWrite(),
        new OneStatement(),
        new SubAccounts(4));
  }

  @ParameterizedTest
  @MethodSource("contendersThatLockInOrder")
  void neverDeadlocksOnSingleTransfersThatCross(Contender contender) throws Exception {
    Measured measured = cross(contender, 1);
    assertThat(measured.count(Outcome.COMMITTED)).isPositive();
    assertThat(measured.failed()).isZero();
  }

  @Test
  void neverDeadlocksOnBatchesThatCrossInOneStatement() throws Exception {
    assertThat(cross(new OneStatement(), 10).failed()).isZero();
  }

  /** Everybody pays everybody among so few that two callers often want the same two. */
  private static Measured cross(Contender contender, int batch) throws Exception {
    Picker few = Picker.uniform(0, 4);
    Journal journal = new Journal();
    Arena arena = arena();
    try (Stage stage = contender.stage(arena)) {
      Measured measured =
          load(stage, journal, caller -> new Transfers(few, few, batch, 100 + caller));
      assertThat(Reconciliation.run(arena, stage.stored(), journal))
          .allMatch(check -> check.broken() == 0);
      return measured;
    }
  }

  /** Many accounts pay one: only batches that cross could deadlock, and these do not. */
  private static Measured load(Stage stage, Journal journal, int batch) throws Exception {
    int share = (ACCOUNTS - 1) / 3;
    return load(
        stage,
        journal,
        caller -> {
          int begin = 1 + caller * share;
          return new Transfers(Picker.uniform(begin, begin + share), Picker.one(0), batch, caller);
        });
  }

  private static Measured load(Stage stage, Journal journal, IntFunction<Source> sources)
      throws Exception {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      workers.add(stage.worker());
    }
    try {
      return ClosedLoop.run(workers, sources, SHORT, journal);
    } finally {
      workers.forEach(Worker::close);
    }
  }

  @Test
  void theCeilingWritesTheVeryRowsThatPartitaWrites() throws Exception {
    Arena ledgers = arena();
    Arena ceilings = arena();
    List<Operation> operations = new ArrayList<>();
    Source source =
        new Transfers(Picker.uniform(0, ACCOUNTS), Picker.uniform(0, ACCOUNTS), 10, 4711);
    for (int i = 0; i < 30; i++) {
      operations.add(source.next());
    }
    // Enough for more than one digit to the base of 10,000, and for zeros at the end.
    operations.add(new Operation(List.of(new Movement(Ids.named("large"), 3, 4, 700_000))));
    Stored ledgersStored = perform(new Partita(), ledgers, operations);
    perform(new Ceiling(), ceilings, operations);
    // The places of a batch's records need not begin at 0.
    String rows =
        "SELECT to_jsonb(t) - 'batch' - 'recorded_at' - 'batch_index', pg_column_size(t),"
            + " t.batch_index - min(t.batch_index) OVER (PARTITION BY t.batch) FROM %s.transfer t";
    String mine = rows.formatted(ceilings.schema());
    String theirs = rows.formatted(ledgers.schema());
    try (Connection connection = database.owner().connect();
        Statement statement = connection.createStatement();
        ResultSet different =
            statement.executeQuery(
                """
                SELECT (SELECT count(*) FROM (%1$s) x),
                       (SELECT count(*) FROM (%1$s EXCEPT ALL %2$s) x),
                       (SELECT count(*) FROM (%2$s EXCEPT ALL %1$s) x)
                """
                    .formatted(mine, theirs))) {
      different.next();
      assertThat(different.getInt(1)).isEqualTo(301 + ACCOUNTS);
      assertThat(different.getInt(2)).isZero();
      assertThat(different.getInt(3)).isZero();
      assertThat(ledgersStored.transfersPerCommit(connection).orElseThrow()).isEqualTo(301 / 31.0);
    }
    try (PostgresLedger ledger =
        PostgresLedger.open(
            PartitaBooks.source(ceilings, "partita-lab-test"),
            PostgresConfig.builder().schema(ceilings.schema()).build())) {
      assertThat(ledger.verify(Progress.NONE).violations()).isEmpty();
    }
  }

  private static Stored perform(Contender contender, Arena arena, List<Operation> operations)
      throws Exception {
    try (Stage stage = contender.stage(arena);
        Worker worker = stage.worker()) {
      for (Operation each : operations) {
        assertThat(worker.perform(each).committed()).isEqualTo(each.size());
      }
      return stage.stored();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "R2  | UPDATE account SET balance = balance - 1 WHERE no = 0",
        "R1  | DELETE FROM entry WHERE id = (SELECT max(id) FROM entry)",
        "R4  | DELETE FROM entry WHERE transfer = (SELECT max(transfer::text)::uuid FROM entry)",
        "R1  | INSERT INTO entry (transfer, account, amount, balance, version)"
            + " SELECT transfer, account, amount, balance, version + 1000000 FROM entry"
            + " WHERE id = (SELECT max(id) FROM entry)",
        "R11 | INSERT INTO entry (transfer, account, amount, balance, version)"
            + " VALUES (gen_random_uuid(), 1, -5, 0, 1000000)",
        "R8  | UPDATE account SET version = version + 1 WHERE no = 0",
        "R10 | UPDATE account SET balance = -1 WHERE no = 1",
        "R3  | DELETE FROM entry WHERE transfer = (SELECT max(transfer::text)::uuid FROM entry)",
        "R9  | UPDATE entry SET balance = balance + 1 WHERE id = (SELECT max(id) FROM entry)",
      })
  void namesThePlantedFault(String check, String fault) throws Exception {
    Arena arena = arena();
    Journal journal = new Journal();
    try (Stage stage = new StoredFunction().stage(arena)) {
      load(stage, journal, 1);
      try (Connection connection = arena.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("SET search_path = " + arena.schema());
        assertThat(statement.executeUpdate(fault)).isPositive();
      }
      assertThat(Reconciliation.run(arena, stage.stored(), journal))
          .filteredOn(each -> each.broken() > 0)
          .extracting(CheckResult::name)
          .contains(check);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 2_001})
  void readsBalancesAsSumsOfEntriesAndOfBlocksThatAgree(int entries) throws Exception {
    // With no block, with a full one left open, with two closed.
    for (Contender each : List.of(BalanceRead.bySum(entries), BalanceRead.byBlocks(entries))) {
      try (Stage stage = each.stage(arena());
          Worker reader = stage.worker()) {
        assertThat(reader.perform(new Operation(List.of(new Movement(new UUID(0, 1), 1, 0, 1)))))
            .isEqualTo(Answer.committed(1));
      }
    }
  }

  @Test
  void namesTheOptionWhenTheFolderOfPgledgerIsMissingOrHoldsSomethingElse(@TempDir Path folder)
      throws Exception {
    assertThatThrownBy(() -> PgLedger.in(folder.resolve("nowhere")))
        .isInstanceOf(MisuseException.class)
        .hasMessageStartingWith("pgledger: ");
    Path vendor = Files.createDirectories(folder.resolve("vendor/scoville-pgsql-ulid"));
    Files.writeString(vendor.resolve("ulid-to-uuid.sql"), "SELECT 1");
    Files.writeString(vendor.resolve("uuid-to-ulid.sql"), "SELECT 1");
    Files.writeString(folder.resolve("pgledger.sql"), "SELECT 1");
    Arena arena = arena();
    assertThatThrownBy(() -> PgLedger.in(folder).stage(arena))
        .isInstanceOf(MisuseException.class)
        .hasMessageStartingWith("pgledger: its functions");
    Files.writeString(folder.resolve("pgledger.sql"), "not a statement");
    assertThatThrownBy(() -> PgLedger.in(folder).stage(arena))
        .isInstanceOf(MisuseException.class)
        .hasMessageStartingWith("pgledger: pgledger.sql cannot be loaded");
  }

  private static Arena arena() throws SQLException {
    String schema = "arena" + ++schemas;
    try (Connection connection = database.owner().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return new Arena(database.owner(), schema, ACCOUNTS, 1_000_000);
  }
}
