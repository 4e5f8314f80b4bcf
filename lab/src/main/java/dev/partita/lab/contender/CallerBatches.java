package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The caller brings many transfers at once: one update for each account, of the sum of what moves
 * on it, and one insert of all entries. The hot row is asked for one turn per batch.
 */
public final class CallerBatches extends SqlContender {

  @Override
  public Card card() {
    return new Card(
            "caller-batches",
            "one update of each account by the sum of a batch, one insert of all its entries",
            "callers must bring batches; no limits, no ids that are unique, no holds",
            List.of("BEGIN", BatchStatements.UPDATE, BatchStatements.INSERT, "COMMIT"),
            3,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(2);
  }

  @Override
  String tables() {
    return Tables.ACCOUNT_AND_ENTRY;
  }

  @Override
  Stored stored() {
    return Tables.STORED;
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    BatchStatements batch = new BatchStatements(connection, arena);
    return (operation, committing) -> {
      batch.write(operation.movements());
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }
}
