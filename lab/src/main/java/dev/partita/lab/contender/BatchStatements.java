package dev.partita.lab.contender;

import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes many transfers at once on one connection. For one thread. */
final class BatchStatements {

  /** One turn of each account, in the order of their numbers, so that batches never deadlock. */
  static final String UPDATE =
      """
      WITH due AS (
        SELECT a.no, d.amount FROM unnest(?::int[], ?::bigint[]) AS d (no, amount)
        JOIN {schema}.account a ON a.no = d.no ORDER BY a.no FOR UPDATE OF a)
      UPDATE {schema}.account a SET balance = a.balance + due.amount FROM due WHERE a.no = due.no
      """;

  static final String INSERT =
      """
      INSERT INTO {schema}.entry (transfer, account, amount)
      SELECT * FROM unnest(?::uuid[], ?::int[], ?::bigint[])
      """;

  private final Connection connection;
  private final PreparedStatement update;
  private final PreparedStatement insert;

  BatchStatements(Connection connection, Arena arena) throws SQLException {
    this.connection = connection;
    this.update = connection.prepareStatement(arena.text(UPDATE));
    this.insert = connection.prepareStatement(arena.text(INSERT));
  }

  /** Writes them, up to the commit. */
  void write(List<Movement> movements) throws SQLException {
    Map<Integer, Long> sums = new TreeMap<>();
    int lines = 2 * movements.size();
    Object[] ids = new Object[lines];
    Object[] accounts = new Object[lines];
    Object[] amounts = new Object[lines];
    int line = 0;
    for (Movement each : movements) {
      sums.merge(each.from(), -each.amount(), Long::sum);
      sums.merge(each.to(), each.amount(), Long::sum);
      ids[line] = each.id();
      accounts[line] = each.from();
      amounts[line++] = -each.amount();
      ids[line] = each.id();
      accounts[line] = each.to();
      amounts[line++] = each.amount();
    }
    update.setArray(1, connection.createArrayOf("int4", sums.keySet().toArray()));
    update.setArray(2, connection.createArrayOf("int8", sums.values().toArray()));
    Tables.requireRows(sums.size(), update.executeUpdate());
    insert.setArray(1, connection.createArrayOf("uuid", ids));
    insert.setArray(2, connection.createArrayOf("int4", accounts));
    insert.setArray(3, connection.createArrayOf("int8", amounts));
    Tables.requireRows(lines, insert.executeUpdate());
  }
}
