package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.postgres.DatabaseCondition.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What operators are told of the database. */
class DatabaseWatchTest {

  private Stage stage;

  @BeforeEach
  void open() {
    stage = new Stage();
  }

  @AfterEach
  void close() throws SQLException {
    stage.close();
  }

  @Test
  void namesWhoHasTheOldestSnapshot() throws SQLException {
    PostgresLedger ledger = stage.node("watched");
    try (Connection reporting = Stage.dataSource("monthly report").getConnection()) {
      reporting.setAutoCommit(false);
      reporting.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = reporting.createStatement()) {
        statement.execute("SELECT 1");
      }
      DatabaseReading reading = ledger.databaseReading();
      assertThat(reading.oldestSnapshot()).isPositive();
      assertThat(reading.oldestSnapshotOwner())
          .contains("application monthly report", "role " + TestServer.applicationRole());
      reporting.rollback();
    }
    assertThat(ledger.databaseReading().oldestSnapshotOwner()).doesNotContain("monthly report");
  }

  @Test
  void measuresByTheLedgersOwnClock() {
    AtomicReference<Instant> now =
        new AtomicReference<>(Instant.now().truncatedTo(ChronoUnit.MICROS));
    PostgresLedger ledger = stage.node("watched", stage.config().timeSource(now::get));
    assertThat(ledger.databaseReading().clockBehind()).isZero();
    Stage.open(ledger, "world", "shop");
    TransferRequest hold = Stage.pending(UUID.randomUUID(), "world", "shop", 1).timeoutSeconds(10);
    ledger.post(hold);
    assertThat(ledger.databaseReading().oldestOverdueHold()).isZero();
    assertThat(ledger.databaseReading().clockBehind()).isZero();

    now.updateAndGet(instant -> instant.plusSeconds(17));
    assertThat(ledger.databaseReading().oldestOverdueHold()).isEqualTo(Duration.ofSeconds(7));
    assertThat(ledger.databaseReading().clockBehind()).isZero();

    now.updateAndGet(instant -> instant.minusSeconds(20));
    assertThat(ledger.databaseReading().oldestOverdueHold()).isZero();
    assertThat(ledger.databaseReading().clockBehind()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void saysWhetherTheDatabaseCanBeWritten() {
    FaultyDataSource faults = new FaultyDataSource(TestServer.application("watched"));
    PostgresLedger ledger = stage.node(faults.dataSource(), stage.config());
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.WRITABLE);
    faults.refuse(true);
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.UNREACHABLE);
    assertThat(ledger.databaseCondition().detail()).contains("refused by the test");
    assertThatThrownBy(ledger::databaseReading).isInstanceOf(UnavailableException.class);
    faults.refuse(false);
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.WRITABLE);
  }

  @Test
  void findsTransactionsReadOnlyThoughTheLaneCouldWrite() {
    PGSimpleDataSource readOnly = (PGSimpleDataSource) TestServer.application("read-only");
    readOnly.setOptions("-c default_transaction_read_only=on");
    PostgresLedger ledger = stage.node(readOnly, stage.config());
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.READ_ONLY);
    assertThat(ledger.databaseReading().oldestOverdueHold()).isZero();
  }

  @Test
  void findsTheSchemaGone() {
    PostgresLedger ledger = stage.node("watched");
    stage.execute("ALTER SCHEMA %s RENAME TO %s_gone");
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.SCHEMA_UNUSABLE);
    stage.execute("ALTER SCHEMA %s_gone RENAME TO %s");
    assertThat(ledger.databaseCondition().state()).isEqualTo(State.WRITABLE);
  }
}
