package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Calls pgledger's functions on one connection. For one thread. */
final class PgLedgerCalls implements SqlWorker.Transaction {

  static final String ONE =
      """
      SELECT id FROM pgledger_create_transfer(?::text, ?::text, ?::numeric, event_at => ?::timestamptz)
      """;

  static final String MANY =
      """
      SELECT id FROM pgledger_create_transfers(transfer_requests => (
        SELECT array_agg((payer, paid, amount)::transfer_request ORDER BY place)
        FROM unnest(?::text[], ?::text[], ?::bigint[])
          WITH ORDINALITY AS r (payer, paid, amount, place)), event_at => ?::timestamptz)
      """;

  /** What a function raises of its own. */
  private static final String RAISED = "P0001";

  private final Connection connection;
  private final String[] ids;
  private final PgLedgerSent sent;
  private final PreparedStatement one;
  private final PreparedStatement many;

  /**
   * On a connection that is in no transaction.
   *
   * @param ids of the accounts, by their number
   * @param sent shared by all workers
   */
  PgLedgerCalls(Connection connection, Arena arena, String[] ids, PgLedgerSent sent)
      throws SQLException {
    this.connection = connection;
    this.ids = ids;
    this.sent = sent;
    try (Statement statement = connection.createStatement()) {
      statement.execute(PgLedger.searchPath(arena));
    }
    this.one = connection.prepareStatement(ONE);
    this.many = connection.prepareStatement(MANY);
  }

  @Override
  public Answer run(Operation operation, Runnable committing) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.setAutoCommit(true);
    }
    PreparedStatement call = operation.size() == 1 ? one : many;
    if (operation.size() == 1) {
      bind(operation.movements().getFirst());
    } else {
      bind(operation.movements());
    }
    call.setObject(4, sent.add(operation));
    committing.run();
    return call(call, operation);
  }

  private void bind(Movement movement) throws SQLException {
    one.setString(1, ids[movement.from()]);
    one.setString(2, ids[movement.to()]);
    one.setLong(3, movement.amount());
  }

  private void bind(List<Movement> movements) throws SQLException {
    many.setArray(
        1,
        connection.createArrayOf(
            "text", movements.stream().map(each -> ids[each.from()]).toArray()));
    many.setArray(
        2,
        connection.createArrayOf("text", movements.stream().map(each -> ids[each.to()]).toArray()));
    many.setArray(
        3, connection.createArrayOf("int8", movements.stream().map(Movement::amount).toArray()));
  }

  private static Answer call(PreparedStatement call, Operation operation) throws SQLException {
    int made = 0;
    try (ResultSet rows = call.executeQuery()) {
      while (rows.next()) {
        made++;
      }
    } catch (SQLException e) {
      if (RAISED.equals(e.getSQLState())
          && String.valueOf(e.getMessage()).contains("does not allow negative balance")) {
        return Answer.of(0, operation.size(), 0);
      }
      throw e;
    }
    Tables.requireRows(operation.size(), made);
    return Answer.committed(made);
  }
}
