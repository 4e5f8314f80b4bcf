package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * No balance at all: two entries for each transfer, and a sum whenever somebody wants to know.
 * Nothing is hot, and nothing can be refused.
 */
public final class EntriesOnly extends SqlContender {

  @Override
  public Card card() {
    return new Card(
        "entries-only",
        "BEGIN, an INSERT of both entries, COMMIT; a balance is a sum at the time of reading",
        "no balance, no limits, no ids that are unique, no holds",
        List.of("BEGIN", Tables.INSERT_BOTH, "COMMIT"),
        2,
        "READ COMMITTED",
        "row counts",
        64);
  }

  @Override
  String tables() {
    return Tables.ACCOUNT_AND_ENTRY;
  }

  @Override
  Stored stored() {
    return new Stored(
        null, "SELECT transfer, account, amount FROM {schema}.entry", null, "{schema}.entry");
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement insert = connection.prepareStatement(arena.text(Tables.INSERT_BOTH));
    return (operation, committing) -> {
      for (Movement each : operation.movements()) {
        Tables.insertBoth(insert, each);
      }
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }
}
