package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Progress;
import dev.partita.UnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is proved while a transaction that has posted stays open. */
class VerifyWhileOthersPostTest {

  @Test
  void doesNotPraiseWhatItCouldNotLookAt() throws SQLException {
    try (Stage stage = new Stage()) {
      PostgresLedger ledger = stage.node("ledger");
      Stage.open(ledger, "a", "b");
      ledger.post(Stage.direct("a", "b", 1));
      PostgresVerifier fresh =
          new PostgresVerifier(TestServer.application(), stage.schema(), Duration.ofMillis(5));
      try (Connection open = Stage.begin()) {
        ledger.inTransaction(open).post(Stage.direct("a", "b", 1));
        assertThatThrownBy(() -> fresh.run(Progress.NONE))
            .isInstanceOfSatisfying(
                UnavailableException.class,
                e -> assertThat(e.reason()).isEqualTo(UnavailableException.Reason.CONTENTION));
        open.commit();
      }
      assertThat(fresh.run(Progress.NONE).transfers()).isEqualTo(2);
    }
  }
}
