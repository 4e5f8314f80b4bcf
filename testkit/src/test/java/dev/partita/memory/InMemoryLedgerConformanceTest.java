package dev.partita.memory;

import dev.partita.testkit.LedgerConformance;
import dev.partita.testkit.LedgerUnderTest;

/** The in-memory engine obeys the rules. In a package of its own, as any engine is. */
class InMemoryLedgerConformanceTest extends LedgerConformance {

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return InMemoryLedger::new;
  }
}
