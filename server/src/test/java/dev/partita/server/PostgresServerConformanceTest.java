package dev.partita.server;

import dev.partita.testkit.LedgerConformance;
import dev.partita.testkit.LedgerUnderTest;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The client obeys the rules of an engine over what is run in earnest: the server and the engine on
 * PostgreSQL, with what was recorded there when a ledger is opened again.
 */
@Tag("slow") // hundreds of schemas: minutes
class PostgresServerConformanceTest extends LedgerConformance {

  private static PostgresRemote engine;

  @BeforeAll
  static void start() throws IOException {
    engine = PostgresRemote.start();
  }

  @AfterAll
  static void stop() throws IOException {
    engine.close();
  }

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return engine;
  }
}
