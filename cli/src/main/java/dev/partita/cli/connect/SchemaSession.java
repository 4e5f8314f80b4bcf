package dev.partita.cli.connect;

import dev.partita.postgres.SchemaStatus;

/** The schema of a ledger, opened for administration. */
public interface SchemaSession extends AutoCloseable {

  /** How it stands to this program. */
  SchemaStatus status();

  /**
   * Makes it, or brings it to the newest version.
   *
   * @return how it stands afterwards
   */
  SchemaStatus migrate();

  /** Gives a role exactly what the ledger needs. */
  void grant(String role);

  @Override
  void close();
}
