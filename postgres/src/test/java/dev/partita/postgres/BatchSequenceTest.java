package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Positions in the journal come from a sequence, which logical replication and partial restores
 * leave behind. What is recorded below others is missing from the journal and from exports.
 */
class BatchSequenceTest {

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void openAndPutBack() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "a", "b");
    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED);
    stage.execute("SELECT setval('%s.batch', 1, false)");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  @Test
  void nothingIsPostedBelowWhatIsRecorded() throws SQLException {
    assertThatThrownBy(() -> ledger.post(Stage.direct("a", "b", 1)))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("setval");
    stage.execute("SELECT setval('%s.batch', 1, false)");
    try (Connection connection = Stage.begin()) {
      assertThatThrownBy(() -> ledger.inTransaction(connection).post(Stage.direct("a", "b", 1)))
          .isInstanceOf(CorruptionException.class);
    }
    assertThat(stage.transfers()).isEqualTo(2);
  }

  @Test
  void theLedgerDoesNotOpen() {
    assertThatThrownBy(() -> stage.node("another")).isInstanceOf(CorruptionException.class);
  }

  @Test
  void aSequenceThatHandsOutSeveralNumbersAtOnceIsRefused() {
    stage.execute("SELECT setval('%s.batch', (SELECT max(batch) FROM %s.transfer))");
    stage.execute("ALTER SEQUENCE %s.batch CACHE 20");
    assertThatThrownBy(() -> stage.node("another"))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("CACHE 1");
  }

  @Test
  void allIsWellOnceTheSequenceIsSet() {
    stage.execute("SELECT setval('%s.batch', (SELECT max(batch) FROM %s.transfer))");
    assertThat(stage.node("another").post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED);
    assertThat(ledger.post(Stage.direct("a", "b", 1)).status()).isEqualTo(CREATED);
    assertThat(ledger.verify((done, total) -> {}).clean()).isTrue();
  }
}
