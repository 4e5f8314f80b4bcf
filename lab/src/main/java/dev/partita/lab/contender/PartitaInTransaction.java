package dev.partita.lab.contender;

import dev.partita.UnavailableException;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Worker;
import dev.partita.postgres.PostgresLedger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Partita inside the caller's own transaction, beside the row of an order: order and money commit
 * or fail as one. Every caller has its own transaction, and holds the hot account until its commit.
 */
public final class PartitaInTransaction implements Contender {

  private static final String TABLE =
      """
      CREATE TABLE {schema}.lab_order (
        id uuid PRIMARY KEY, customer int NOT NULL, total bigint NOT NULL,
        placed_at timestamptz NOT NULL DEFAULT clock_timestamp())
      """;

  private static final String ORDER =
      "INSERT INTO {schema}.lab_order (id, customer, total) VALUES (?, ?, ?)"
          + " ON CONFLICT (id) DO NOTHING";

  @Override
  public Card card() {
    return new Card(
            "partita-in-transaction",
            "BEGIN, an INSERT of one order, Partita's post on the same connection, COMMIT; a refusal of"
                + " any transfer rolls the order back",
            "no batches of many callers: each holds its accounts until its own commit",
            List.of(
                "BEGIN",
                ORDER,
                "lock; look up; clock (one round trip)",
                "SAVEPOINT; records; RELEASE (one round trip)",
                "COMMIT"),
            4,
            "READ COMMITTED",
            "status of every transfer",
            64)
        .holding(2);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    PostgresLedger ledger = PartitaBooks.open(arena, "partita-lab-in-transaction");
    try {
      arena.run(TABLE);
    } catch (SQLException e) {
      ledger.close();
      throw e;
    }
    return new OrderStage(ledger, arena);
  }

  private record OrderStage(PostgresLedger ledger, Arena arena) implements Stage {

    @Override
    public Worker worker() throws SQLException {
      return new SqlWorker(arena, this::on);
    }

    private SqlWorker.Transaction on(Connection connection, Arena place) throws SQLException {
      PreparedStatement order = connection.prepareStatement(place.text(ORDER));
      return (operation, committing) -> {
        order(order, operation);
        Answer answer;
        try {
          answer =
              PartitaBooks.answer(
                  ledger.inTransaction(connection).post(PartitaBooks.request(operation)));
        } catch (UnavailableException e) {
          connection.rollback();
          return Answer.failed(PartitaBooks.outcome(e));
        }
        if (answer.rejected() > 0) {
          connection.rollback();
          return Answer.of(0, answer.rejected() + answer.committed(), answer.replayed());
        }
        committing.run();
        connection.commit();
        return answer;
      };
    }

    private static void order(PreparedStatement order, Operation operation) throws SQLException {
      Movement first = operation.movements().getFirst();
      order.setObject(1, first.id());
      order.setInt(2, first.from());
      order.setLong(3, operation.movements().stream().mapToLong(Movement::amount).sum());
      order.executeUpdate();
    }

    @Override
    public Stored stored() {
      return PartitaBooks.stored(arena);
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
