package dev.partita.testkit;

import dev.partita.memory.InMemoryLedger;

/** The in-memory engine obeys the rules. */
class InMemoryLedgerConformanceTest extends LedgerConformance {

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return InMemoryLedger::new;
  }
}
