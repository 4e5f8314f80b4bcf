package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Progress;
import dev.partita.TrialBalance;
import dev.partita.UnavailableException;
import dev.partita.VerifyReport;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is read and proved while others post, or hold locks. */
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

  @Test
  @Tag("slow")
  void endsEveryStatementThatTakesTooLong() throws Exception {
    try (Stage stage = new Stage();
        Connection owner = TestServer.owner().getConnection();
        Statement statement = owner.createStatement()) {
      PostgresLedger ledger = stage.node("ledger");
      Stage.open(ledger, "a", "b");
      ledger.post(Stage.direct("a", "b", 1));
      owner.setAutoCommit(false);
      statement.execute("LOCK TABLE " + stage.schema() + ".account_change");
      PostgresVerifier verifier =
          new PostgresVerifier(TestServer.application("verifier"), stage.schema());
      Future<VerifyReport> report = stage.start(() -> verifier.run(Progress.NONE));
      stage.awaitWaiting("verifier");
      // Its statement is cancelled, and it asks again for less.
      stage.awaitNotWaiting("verifier");
      stage.awaitWaiting("verifier");
      owner.rollback();
      assertThat(report.get(1, TimeUnit.MINUTES).violations()).isEmpty();
    }
  }

  /** What was recorded and answered by the time that it states is in it. */
  @Test
  void takesATrialBalanceAtATimeBeforeItsSnapshot() throws Exception {
    try (Stage stage = new Stage();
        Connection owner = TestServer.owner().getConnection();
        Statement statement = owner.createStatement()) {
      PostgresLedger ledger = stage.node("ledger");
      Stage.open(ledger, "a", "b");
      owner.setAutoCommit(false);
      statement.execute("LOCK TABLE " + stage.schema() + ".transfer");
      PostgresReads reads =
          new PostgresReads(TestServer.application("reader"), stage.schema(), null);
      Future<TrialBalance> balance = stage.start(reads::trialBalance);
      stage.awaitWaiting("reader");
      Instant meanwhile;
      try (ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
        row.next();
        meanwhile = TransferRows.instant(row, 1);
      }
      owner.rollback();
      assertThat(balance.get(1, TimeUnit.MINUTES).takenAt()).isBefore(meanwhile);
    }
  }
}
