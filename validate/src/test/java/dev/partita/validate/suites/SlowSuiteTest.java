package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.postgres.PostgresConfig;
import dev.partita.validate.Effort;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The bank holds when things are slow, and each fault that is planted is found by its check. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "processes are sent signals")
class SlowSuiteTest {

  private static final String NETWORK = "the network stalls";

  private static Runs runs;

  @BeforeAll
  static void open() throws IOException {
    runs = new Runs();
  }

  @AfterAll
  static void close() throws IOException {
    runs.close();
  }

  @Test
  void holdsOnAServerOfItsOwn() {
    runs.held(new SlowSuite(), runs.embedded());
  }

  @Test
  void holdsInADatabaseThatIsGiven() {
    runs.held(new SlowSuite(), runs.given());
  }

  @Test
  void findsATransferThatIsStoredThoughTheAnswerWasNotPosted() {
    runs.violated(
        new SlowSuite(lying(Lying::notPosted)), runs.given(), "no refused transfer is stored");
  }

  @Test
  void findsATransferThatIsAcknowledgedAndNotStored() {
    runs.violated(
        new SlowSuite(lying(Lying::created)),
        runs.given(),
        "every acknowledged transfer is stored exactly once");
  }

  @Test
  @Tag("slow")
  void findsARateThatDoesNotComeBack() {
    runs.violated(
        new SlowSuite(lying(Lying::tired)),
        Effort.lasting(Duration.ofMillis(1)),
        runs.given(),
        "the rate recovers to 60 % within 30 s");
  }

  private static Seam lying(UnaryOperator<Ledger> liar) {
    return new Seam() {
      @Override
      public boolean causes(String what) {
        return what.equals(NETWORK);
      }

      @Override
      public Ledger ledger(Ledger real) {
        return liar.apply(real);
      }
    };
  }

  @Test
  void findsAQueueWithoutABound() {
    Seam unbounded =
        new Seam() {
          @Override
          public boolean causes(String what) {
            return what.equals(NETWORK);
          }

          @Override
          public PostgresConfig.Builder config(PostgresConfig.Builder real) {
            return real.queueTransfersMax(1_000_000);
          }
        };
    runs.violated(
        new SlowSuite(unbounded), runs.given(), "what waits in the ledger stays within its bounds");
  }

  /** A cancelled wait for a standby leaves the records on this server only; a replay finds them. */
  @Test
  void findsAnAnswerOnANewConnectionThatPassedNoBarrier() {
    Seam withoutBarrier =
        new Seam() {
          @Override
          public boolean causes(String what) {
            return what.equals("all standbys are gone");
          }

          @Override
          public DataSource source(DataSource real) {
            return HastySource.of(real, true);
          }
        };
    runs.violated(
        new SlowSuite(withoutBarrier),
        runs.embedded(),
        "nothing is acknowledged while no standby confirms");
  }
}
