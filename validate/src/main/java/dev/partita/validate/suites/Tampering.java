package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.validate.Database;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A fault put into what a suite runs on, to see that the suite finds it. None by default. */
interface Tampering {

  /** No fault. */
  Tampering NONE = new Tampering() {};

  /** The connections of nodes and callers. */
  default DataSource source(DataSource real) {
    return real;
  }

  /** A node, as clients see it. */
  default Ledger node(Ledger real) {
    return real;
  }

  /** Changes the database before anything is posted. */
  default void prepare(Database database) throws SQLException {}
}
