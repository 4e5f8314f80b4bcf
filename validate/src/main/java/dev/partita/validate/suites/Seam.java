package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.postgres.PostgresConfig;
import dev.partita.validate.Database;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where tests plant a fault into what a suite looks at, to see that the suite finds it. */
interface Seam {

  /** Nothing is planted. */
  Seam NONE = new Seam() {};

  /** Whether something goes wrong at all; by its name. */
  default boolean causes(String what) {
    return true;
  }

  /** What the ledger connects with. */
  default DataSource source(DataSource real) {
    return real;
  }

  /** How the ledger works. */
  default PostgresConfig.Builder config(PostgresConfig.Builder real) {
    return real;
  }

  /** What clients post to. */
  default Ledger ledger(Ledger real) {
    return real;
  }

  /** Called before anything is recorded. */
  default void prepare(Database database) throws SQLException {}

  /** Called when clients have stopped and before what is stored is compared with their journal. */
  default void beforeComparing(Database database) throws SQLException {}
}
