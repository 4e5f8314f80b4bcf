package dev.partita.cli.connect;

import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.rules.Restorable;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.metrics.Meters;

/** A ledger opened for one command, with everything that was started for it. */
public interface LedgerSession extends AutoCloseable {

  /** The ledger. */
  Ledger ledger();

  /**
   * The ledger as one that can take back an export.
   *
   * @throws MisuseException if this one cannot
   */
  default Restorable restorable() {
    if (ledger() instanceof Restorable restorable) {
      return restorable;
    }
    throw new MisuseException("this ledger cannot take back an export");
  }

  /** The API keys beside the ledger, to be read. */
  ApiKeys apiKeys();

  /**
   * Has what is below the ledger measured, for as long as the session is open.
   *
   * @return what asks whether it can do its work
   */
  default HealthProbe watch(Meters meters) {
    return HealthProbe.of(ledger());
  }

  /** Closes the ledger and stops what was started for it. */
  @Override
  void close();
}
