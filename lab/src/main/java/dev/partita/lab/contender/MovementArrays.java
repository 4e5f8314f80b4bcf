package dev.partita.lab.contender;

import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Many transfers as one array for each of their parts. */
final class MovementArrays {

  private MovementArrays() {}

  /** Sets four parameters: ids (uuid), payers and payees (int), amounts (bigint). */
  static void bind(PreparedStatement statement, int first, List<Movement> movements)
      throws SQLException {
    Connection connection = statement.getConnection();
    statement.setArray(
        first, connection.createArrayOf("uuid", movements.stream().map(Movement::id).toArray()));
    statement.setArray(
        first + 1,
        connection.createArrayOf("int4", movements.stream().map(Movement::from).toArray()));
    statement.setArray(
        first + 2,
        connection.createArrayOf("int4", movements.stream().map(Movement::to).toArray()));
    statement.setArray(
        first + 3,
        connection.createArrayOf("int8", movements.stream().map(Movement::amount).toArray()));
  }
}
