package dev.partita.server.health;

import dev.partita.Ledger;
import dev.partita.LedgerException;
import java.util.Optional;

/** Looks at what is below a server. Implementations are safe for use by several threads. */
@FunctionalInterface
public interface HealthProbe {

  /**
   * Looks whether requests can be answered now. May wait, but not for ever; the server asks at most
   * once a second and one at a time. Must not throw.
   *
   * @return what is wrong, if anything
   */
  Optional<Trouble> look();

  /**
   * Whether something is broken that only a new process will mend. Must not wait.
   *
   * @return what is wrong, if anything
   */
  default Optional<Trouble> damage() {
    return Optional.empty();
  }

  /** Asks a ledger a question, for engines of which no more is known. */
  static HealthProbe of(Ledger ledger) {
    return () -> {
      try {
        ledger.assets();
        return Optional.empty();
      } catch (LedgerException e) {
        return Optional.of(
            new Trouble(
                "ledger_unavailable",
                "the ledger does not answer",
                String.valueOf(e.getMessage())));
      }
    };
  }
}
