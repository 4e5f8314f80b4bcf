package dev.partita.postgres;

import static dev.partita.TransferStatus.CREATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.ConflictException;
import dev.partita.Limits;
import dev.partita.TransferRequest;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PostgreSQL gives up a transaction because of another one: a deadlock, a serialization failure.
 * That says nothing about the money, so it is never answered as if it did.
 */
class LostRaceTest {

  private static final String DEADLOCK = "40P01";
  private static final String SERIALIZATION_FAILURE = "40001";

  private Stage stage;
  private PostgresLedger ledger;

  @BeforeEach
  void open() {
    stage = new Stage();
    ledger = stage.node("ledger");
    Stage.open(ledger, "world", "shop");
    Stage.open(ledger, Limits.NOT_NEGATIVE, "purse");
    ledger.post(Stage.direct("world", "purse", 10));
  }

  @AfterEach
  void close() throws SQLException {
    stage.reconcile();
    stage.close();
  }

  /**
   * The next so many attempts to record fail; a sequence keeps count, since it never rolls back.
   */
  private void loseRaces(String state, int count) {
    stage.execute(
        """
        CREATE SEQUENCE %s.attempt;
        GRANT ALL ON SEQUENCE %s.attempt TO PUBLIC;
        CREATE FUNCTION %s.lose() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('%s.attempt') <= <count> THEN
            RAISE EXCEPTION 'by the test' USING ERRCODE = '<state>';
          END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER lose AFTER INSERT ON %s.transfer FOR EACH STATEMENT
          EXECUTE FUNCTION %s.lose()
        """
            .replace("<count>", Integer.toString(count))
            .replace("<state>", state));
  }

  private long attempts() {
    return stage.number("SELECT last_value FROM %s.attempt");
  }

  @ParameterizedTest
  @ValueSource(strings = {DEADLOCK, SERIALIZATION_FAILURE})
  void isDecidedAgainAndRecordedOnce(String state) {
    loseRaces(state, 3);

    assertThat(ledger.post(Stage.direct("purse", "shop", 10)).status()).isEqualTo(CREATED);

    assertThat(attempts()).isEqualTo(4);
    assertThat(stage.sumOf("purse")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {DEADLOCK, SERIALIZATION_FAILURE})
  void isNeverARefusalHoweverOftenItIsLost(String state) {
    loseRaces(state, Integer.MAX_VALUE);
    TransferRequest request = Stage.direct("purse", "shop", 10);

    assertThatThrownBy(() -> ledger.post(request))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_POSTED));

    assertThat(stage.stored(request.id())).isZero();
    stage.execute("DROP TRIGGER lose ON %s.transfer");
    assertThat(ledger.post(request).status()).isEqualTo(CREATED);
  }

  @ParameterizedTest
  @ValueSource(strings = {DEADLOCK, SERIALIZATION_FAILURE})
  void isAConflictInTheCallersTransaction(String state) throws SQLException {
    loseRaces(state, 1);
    TransferRequest request = Stage.direct("purse", "shop", 10);

    try (Connection connection = Stage.begin()) {
      assertThatThrownBy(() -> ledger.inTransaction(connection).post(request))
          .isInstanceOf(ConflictException.class);
      connection.rollback();
      assertThat(ledger.inTransaction(connection).post(request).status()).isEqualTo(CREATED);
      connection.commit();
    }

    assertThat(stage.stored(request.id())).isEqualTo(1);
  }
}
