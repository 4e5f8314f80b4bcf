package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.GroupRequest;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails on the way to the commit, and however: nothing of the request is there. */
class AllOrNothingTest {

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger", stage.config().patience(Duration.ofSeconds(1)));
    Stage.open(ledger, "world", "shop", "other");
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /**
   * Writes to every table that posting writes to: records, a new hold, a smaller and an ended one.
   */
  private GroupRequest everything(UUID smaller, UUID ended) {
    return GroupRequest.of(
        List.of(
            Stage.direct("world", "shop", 1),
            Stage.pending(UUID.randomUUID(), "world", "shop", 2),
            TransferRequest.capture(UUID.randomUUID(), smaller)
                .amount(Amount.ofMinor(3))
                .keepRemainder(true),
            TransferRequest.capture(UUID.randomUUID(), ended)));
  }

  @ParameterizedTest
  @CsvSource({
    "transfer, INSERT, RAISE EXCEPTION 'by the test'",
    "hold, INSERT, RAISE EXCEPTION 'by the test'",
    "hold, UPDATE, RAISE EXCEPTION 'by the test'",
    "hold, DELETE, RAISE EXCEPTION 'by the test'",
    "transfer, INSERT, PERFORM pg_terminate_backend(pg_backend_pid())",
    "hold, INSERT, PERFORM pg_terminate_backend(pg_backend_pid())",
    "hold, UPDATE, PERFORM pg_terminate_backend(pg_backend_pid())",
    "hold, DELETE, PERFORM pg_terminate_backend(pg_backend_pid())"
  })
  void nothingIsThereAfterAFailureInAnyStatement(String table, String event, String fault) {
    UUID smaller = ledger.post(Stage.pending(UUID.randomUUID(), "world", "shop", 10)).id();
    UUID ended = ledger.post(Stage.pending(UUID.randomUUID(), "world", "shop", 10)).id();
    GroupRequest group = everything(smaller, ended);
    String before = everythingStored();
    stage.execute(
        """
        CREATE FUNCTION %s.fault() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          <fault>;
          RETURN NULL;
        END $$;
        CREATE TRIGGER fault AFTER <event> ON %s.<table> FOR EACH ROW EXECUTE FUNCTION %s.fault()
        """
            .replace("<fault>", fault)
            .replace("<event>", event)
            .replace("<table>", table));

    assertThatThrownBy(() -> ledger.post(group)).isInstanceOf(UnavailableException.class);

    assertThat(everythingStored()).isEqualTo(before);
    stage.execute("DROP TRIGGER fault ON %s." + table);
    assertThat(ledger.post(group).transfers())
        .extracting(TransferResult::status)
        .containsOnly(CREATED);
  }

  private String everythingStored() {
    return stage.number("SELECT count(*) FROM %s.transfer")
        + " records, "
        + stage.number("SELECT count(*) FROM %s.hold")
        + " holds of "
        + stage.number("SELECT coalesce(sum(remaining), 0) FROM %s.hold")
        + ", version "
        + ledger.balance(AccountId.of("world")).state().version();
  }

  /** A check that PostgreSQL makes at the COMMIT only, through the pipeline and through COPY. */
  @ParameterizedTest
  @ValueSource(ints = {1, 300})
  void aCommitThatIsRefusedIsNeverAnswered(int transfers) {
    stage.execute(
        """
        CREATE FUNCTION %s.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'at the commit' USING ERRCODE = 'check_violation';
        END $$;
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON %s.transfer DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW WHEN (NEW.reference = 'late') EXECUTE FUNCTION %s.refuse()
        """);
    List<PostItem> items = new ArrayList<>();
    for (int i = 0; i < transfers; i++) {
      items.add(Stage.direct("world", "shop", 1).reference("late"));
    }
    PostRequest request = new PostRequest(items);

    assertThatThrownBy(() -> ledger.post(request)).isInstanceOf(UnavailableException.class);

    assertThat(stage.transfers()).isZero();
    assertThat(ledger.post(Stage.direct("world", "other", 1)).status()).isEqualTo(CREATED);
  }

  /**
   * PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and its driver takes that
   * without a word. So nothing may be left of it, nothing more may be posted in it, and repeating
   * the request tells the truth.
   */
  @Test
  void aSwallowedFailureLeavesNothingOfItsTransaction() throws SQLException {
    TransferRequest request = Stage.direct("world", "shop", 1);
    try (Connection connection = Stage.begin();
        Statement statement = connection.createStatement()) {
      assertThat(ledger.inTransaction(connection).post(request).status()).isEqualTo(CREATED);
      assertThatThrownBy(() -> statement.execute("SELECT 1 / 0")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> ledger.inTransaction(connection).post(request))
          .isInstanceOf(MisuseException.class);
      connection.commit();
    }
    assertThat(stage.stored(request.id())).isZero();
    assertThat(ledger.post(request).status()).isEqualTo(CREATED);
  }
}
