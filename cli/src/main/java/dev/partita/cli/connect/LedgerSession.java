package dev.partita.cli.connect;

import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.rules.Restorable;
import dev.partita.server.auth.ApiKeys;

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

  /** Closes the ledger and stops what was started for it. */
  @Override
  void close();
}
