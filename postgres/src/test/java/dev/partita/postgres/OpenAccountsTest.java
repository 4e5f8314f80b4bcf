package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.NewAccount;
import dev.partita.OpenResult;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What opening accounts leaves behind in the database. */
class OpenAccountsTest {

  @Test
  void openingAgainUsesUpNoAccountNumbers() throws SQLException {
    try (Stage stage = new Stage()) {
      PostgresLedger ledger = stage.node("ledger");
      Stage.open(ledger, "a", "b");
      for (int i = 0; i < 5; i++) {
        List<OpenResult> again =
            ledger.open(List.of(NewAccount.of("a", "EUR"), NewAccount.of("b", "EUR")));
        assertThat(again)
            .allSatisfy(result -> assertThat(result.status()).isEqualTo(OpenResult.Status.EXISTS));
      }
      Stage.open(ledger, "c");
      assertThat(stage.number("SELECT no FROM %s.account WHERE id = 'c'")).isEqualTo(3);
    }
  }
}
