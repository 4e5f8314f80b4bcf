package dev.partita.testkit;

/** The suite and the auditor agree: dressed up as an engine, the auditor passes. */
class AuditorLedgerConformanceTest extends LedgerConformance {

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return AuditorLedger::new;
  }
}
