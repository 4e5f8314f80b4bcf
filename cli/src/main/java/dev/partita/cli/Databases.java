package dev.partita.cli;

import dev.partita.cli.connect.LedgerSession;
import dev.partita.cli.connect.LedgerSource;
import dev.partita.cli.connect.SchemaSession;
import dev.partita.cli.connect.Target;

/** Ledgers in PostgreSQL: in a given database, or in the embedded one. */
final class Databases implements LedgerSource {

  @Override
  public LedgerSession open(Target target, boolean mayCreate) {
    throw new UnsupportedOperationException("not wired yet");
  }

  @Override
  public SchemaSession openSchema(Target target, boolean mayCreate) {
    throw new UnsupportedOperationException("not wired yet");
  }

  @Override
  public String migrationsSql(String schema) {
    throw new UnsupportedOperationException("not wired yet");
  }

  @Override
  public String grantsSql(String schema, String role) {
    throw new UnsupportedOperationException("not wired yet");
  }
}
