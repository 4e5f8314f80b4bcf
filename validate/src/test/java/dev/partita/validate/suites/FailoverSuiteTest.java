package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.client.Bank;
import dev.partita.validate.client.Crowd;
import dev.partita.validate.client.Journal;
import dev.partita.validate.client.Teller;
import dev.partita.validate.faults.Trio;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Standbys take over: nothing acknowledged is lost, and the suite would see it if it were. */
class FailoverSuiteTest {

  private static final String ONCE = "every acknowledged transfer is stored exactly once";
  private static final String SILENT = "a primary that no standby follows answers nothing";
  private static final String ALONE = "a primary that no standby follows confirms no commit";
  private static final String WARNED = "opening the ledger finds no money at risk";
  private static final String ABSENT = "no refused transfer is stored";
  private static final String BALANCED = "debits equal credits";

  private Runs runs;

  @BeforeEach
  void start() throws IOException {
    runs = new Runs();
  }

  @AfterEach
  void stop() throws IOException {
    runs.close();
  }

  @Test
  void nothingIsLostWhenStandbysTakeOver() {
    runs.held(new FailoverSuite(), runs.embedded());
  }

  /** As an engine that trusts whatever its connection shows it. */
  @Test
  @Tag("slow")
  void seesThatAnswersFromAPrimaryWithoutStandbysAreLost() {
    runs.violated(cutOff(real -> HastySource.of(real, true)), runs.embedded(), ONCE, SILENT);
  }

  /** As an engine that writes on each new connection, and then trusts what it shows. */
  @Test
  @Tag("slow")
  void seesThatReplaysAreAnsweredFromAPrimaryWithoutStandbys() {
    SuiteReport report =
        runs.violated(cutOff(real -> HastySource.of(real, false)), runs.embedded(), SILENT);
    assertThat(Runs.failed(report)).as(report.toString()).containsExactly(SILENT);
  }

  private static FailoverSuite cutOff(UnaryOperator<DataSource> fault) {
    return new FailoverSuite(fault, true, List.of(Failover.CUT_OFF));
  }

  /** As servers whose synchronous_standby_names is empty. */
  @Test
  @Tag("slow")
  void seesThatAResumedPrimaryGoesOnWithoutSynchronousStandbys() {
    runs.violated(
        new FailoverSuite(
            UnaryOperator.identity(), false, List.of(Failover.KILLED, Failover.RESUMED)),
        runs.embedded(),
        WARNED,
        ALONE);
  }

  /** What users are warned of. */
  @Test
  @Tag("slow")
  void asynchronousStandbysLoseWhatWasAcknowledged() {
    SuiteReport report = runs.violated(new Asynchronous(), runs.embedded(), ONCE);
    assertThat(Runs.failed(report)).as(report.toString()).doesNotContain(ABSENT, BALANCED);
  }

  /** The primary acknowledges what no standby has, and is killed. */
  private static final class Asynchronous implements Suite {
    private static final Bank BANK = new Bank(20, 2);
    private static final long TRANSFERS = 200;

    @Override
    public String name() {
      return "asynchronous";
    }

    @Override
    public String summary() {
      return "a failover to a standby that lags";
    }

    @Override
    public void run(Run run) throws IOException, SQLException, InterruptedException {
      try (Trio trio = Trio.make(run, false);
          HikariDataSource reads = Database.pool(trio.application("reads"));
          PostgresLedger ledger =
              PostgresLedger.open(trio.application("ledger"), PostgresConfig.defaults());
          PostgresLedger reader =
              PostgresLedger.open(reads, PostgresConfig.builder().sweepInterval(null).build())) {
        assertThat(ledger.warnings())
            .singleElement()
            .asString()
            .contains("the standbys are asynchronous", "set synchronous_standby_names");
        BANK.open(ledger);
        Journal journal = new Journal();
        Teller teller = new Teller(ledger, journal, run, Duration.ofMinutes(1));
        Crowd crowd = new Crowd(run, BANK, 4);
        crowd.work(teller, () -> crowd.recorded() >= TRANSFERS);
        trio.awaitStandbys();
        trio.cutOff();
        crowd.work(teller, () -> crowd.recorded() >= 2 * TRANSFERS);
        trio.primary().kill();
        trio.promote();
        BANK.reconciliation(reader, run).compare(journal);
        run.verify(reader);
      }
    }
  }
}
