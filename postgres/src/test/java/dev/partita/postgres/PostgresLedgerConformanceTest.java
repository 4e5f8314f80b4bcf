package dev.partita.postgres;

import dev.partita.testkit.LedgerConformance;
import dev.partita.testkit.LedgerUnderTest;

/** The PostgreSQL engine obeys the rules that every engine obeys. */
class PostgresLedgerConformanceTest extends LedgerConformance {

  private static final LedgerUnderTest ENGINE = new PostgresUnderTest("on");

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return ENGINE;
  }
}
