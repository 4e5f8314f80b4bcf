package dev.partita.cli.connect;

/** Where commands get their ledger from. */
public interface LedgerSource {

  /**
   * Opens a ledger for work.
   *
   * @throws dev.partita.MisuseException if there is none, its schema is missing or does not fit
   *     this program, or what is named cannot be a ledger
   * @throws dev.partita.UnavailableException if it cannot be reached
   */
  LedgerSession open(Target target, Purpose purpose);

  /** Opens the schema of a ledger for administration, as its owner. */
  SchemaSession openSchema(Target target, Purpose purpose);

  /**
   * Opens the API keys beside a ledger for administration, as the owner of its schema.
   *
   * @throws dev.partita.MisuseException if there is no ledger, or its schema does not fit
   */
  KeysSession openKeys(Target target, Purpose purpose);

  /** The migrations as SQL, for people who apply them with a tool of their own. */
  String migrationsSql(String schema);

  /** The statements that give a role exactly what the ledger needs. */
  String grantsSql(String schema, String role);
}
