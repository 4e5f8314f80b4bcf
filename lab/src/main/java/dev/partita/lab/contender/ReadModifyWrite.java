package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * What object mappers do: read a balance under a row lock, compute in the program, write the
 * result, for each of both accounts, then insert two entries. Funds are checked in the program.
 */
public final class ReadModifyWrite extends SqlContender {

  private static final String READ = "SELECT balance FROM {schema}.account WHERE no = ? FOR UPDATE";
  private static final String WRITE = "UPDATE {schema}.account SET balance = ? WHERE no = ?";
  private static final String INSERT =
      "INSERT INTO {schema}.entry (transfer, account, amount) VALUES (?, ?, ?)";

  @Override
  public Card card() {
    return new Card(
        "read-modify-write",
        "for each account: read under a row lock, compute in the program, write; then two inserts",
        "no ids that are unique, no holds; deadlocks where accounts cross",
        List.of("BEGIN", READ, WRITE, READ, WRITE, INSERT, INSERT, "COMMIT"),
        7,
        "READ COMMITTED",
        64);
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
  Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement read = connection.prepareStatement(arena.text(READ));
    PreparedStatement write = connection.prepareStatement(arena.text(WRITE));
    PreparedStatement insert = connection.prepareStatement(arena.text(INSERT));
    return (operation, committing) -> {
      for (Movement each : operation.movements()) {
        long paid = balance(read, each.to());
        write(write, each.to(), paid + each.amount());
        long pays = balance(read, each.from());
        if (pays < each.amount()) {
          connection.rollback();
          return Answer.of(0, operation.size(), 0);
        }
        write(write, each.from(), pays - each.amount());
        insert(insert, each, each.to(), each.amount());
        insert(insert, each, each.from(), -each.amount());
      }
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }

  private static long balance(PreparedStatement read, int account) throws SQLException {
    read.setInt(1, account);
    try (ResultSet row = read.executeQuery()) {
      Tables.requireRows(1, row.next() ? 1 : 0);
      return row.getLong(1);
    }
  }

  private static void write(PreparedStatement write, int account, long balance)
      throws SQLException {
    write.setLong(1, balance);
    write.setInt(2, account);
    Tables.requireRows(1, write.executeUpdate());
  }

  private static void insert(PreparedStatement insert, Movement movement, int account, long amount)
      throws SQLException {
    insert.setObject(1, movement.id());
    insert.setInt(2, account);
    insert.setLong(3, amount);
    Tables.requireRows(1, insert.executeUpdate());
  }
}
