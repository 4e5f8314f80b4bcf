package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Entry;
import dev.partita.StatementQuery;
import dev.partita.Transfer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The time of a record is read when its accounts are locked, not when its transaction began ({@code
 * now()}), so that time and version never disagree about what came first.
 */
class RecordedOrderTest {

  private static final AccountId HOT = AccountId.of("hot");

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "world", "hot");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void isThatOfTheLocksWhateverTransactionBeganFirst() throws SQLException {
    Transfer later;
    Transfer between;
    Instant justBefore;
    try (Connection first = Stage.begin();
        Statement statement = first.createStatement()) {
      statement.execute("SELECT now()"); // From here on now() stands still in this transaction.
      between = ledger.post(Stage.direct("world", "hot", 1)).orThrow();
      justBefore = stage.now();
      later = ledger.inTransaction(first).post(Stage.direct("world", "hot", 10)).orThrow();
      first.commit();
    }
    Transfer last = ledger.post(Stage.direct("world", "hot", 100)).orThrow();

    assertThat(between.recordedAt()).isBeforeOrEqualTo(justBefore);
    assertThat(justBefore).isBeforeOrEqualTo(later.recordedAt());
    assertThat(later.recordedAt()).isBeforeOrEqualTo(last.recordedAt());
    assertThat(later.creditAfter().version()).isEqualTo(2);
    List<Entry> lines = ledger.statement(StatementQuery.oldestFirst(HOT, 10)).items();
    for (Entry line : lines) {
      Instant at = line.transfer().recordedAt();
      assertThat(ledger.balanceAsRecorded(HOT, at).state().version())
          .as("as recorded at the time of version %s", line.version())
          .isEqualTo(
              lines.stream().filter(other -> !other.transfer().recordedAt().isAfter(at)).count());
    }
    assertThat(lines).hasSize(3);
  }
}
