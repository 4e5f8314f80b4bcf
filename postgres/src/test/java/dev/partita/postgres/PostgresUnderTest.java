package dev.partita.postgres;

import dev.partita.Ledger;
import dev.partita.TimeSource;
import dev.partita.testkit.LedgerUnderTest;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/** Ledgers with a manual clock, each in a schema of its own, on the server of the tests. */
final class PostgresUnderTest implements LedgerUnderTest {

  private final String synchronousCommit;
  private final Map<Ledger, String> schemas = Collections.synchronizedMap(new IdentityHashMap<>());

  PostgresUnderTest(String synchronousCommit) {
    this.synchronousCommit = synchronousCommit;
  }

  @Override
  public Ledger open(TimeSource clock) {
    return open(TestServer.freshSchema(), clock);
  }

  @Override
  public boolean durable() {
    return true;
  }

  @Override
  public Ledger reopen(Ledger closed, TimeSource clock) {
    String schema = schemas.remove(closed);
    return open(schema, clock);
  }

  @Override
  public void dispose(Ledger ledger) {
    ledger.close();
    String schema = schemas.remove(ledger);
    if (schema != null) {
      TestServer.drop(schema);
    }
  }

  private Ledger open(String schema, TimeSource clock) {
    PostgresLedger ledger =
        PostgresLedger.open(
            TestServer.application(),
            PostgresConfig.builder()
                .schema(schema)
                .timeSource(clock)
                .synchronousCommit(synchronousCommit)
                // Holds expire when the suite says so.
                .sweepInterval(null)
                .build());
    schemas.put(ledger, schema);
    return ledger;
  }
}
