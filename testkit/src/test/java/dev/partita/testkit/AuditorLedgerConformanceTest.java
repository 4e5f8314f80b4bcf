package dev.partita.testkit;

import dev.partita.Ledger;
import dev.partita.TimeSource;

/** The suite and the auditor agree: dressed up as an engine, the auditor passes. */
class AuditorLedgerConformanceTest extends LedgerConformance {

  @Override
  protected LedgerUnderTest ledgerUnderTest() {
    return new LedgerUnderTest() {
      @Override
      public Ledger open(TimeSource clock) {
        return new AuditorLedger(clock);
      }

      @Override
      public boolean durable() {
        return true;
      }

      @Override
      public Ledger reopen(Ledger closed, TimeSource clock) {
        return ((AuditorLedger) closed).reopened(clock);
      }
    };
  }
}
