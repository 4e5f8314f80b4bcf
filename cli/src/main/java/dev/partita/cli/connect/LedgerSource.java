package dev.partita.cli.connect;

/** Where commands get their ledger from. */
public interface LedgerSource {

  /**
   * Opens a ledger for work.
   *
   * @param mayCreate whether an embedded database may be created if there is none
   * @throws dev.partita.MisuseException if there is none, or what is named cannot be a ledger
   * @throws dev.partita.UnavailableException if it cannot be reached, or its schema is missing or
   *     older than this program
   */
  LedgerSession open(Target target, boolean mayCreate);

  /** Opens the schema of a ledger for administration, as its owner. */
  SchemaSession openSchema(Target target, boolean mayCreate);

  /** The migrations as SQL, for people who apply them with a tool of their own. */
  String migrationsSql(String schema);

  /** The statements that give a role exactly what the ledger needs. */
  String grantsSql(String schema, String role);
}
