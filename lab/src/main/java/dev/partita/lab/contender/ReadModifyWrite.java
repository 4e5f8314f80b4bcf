package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

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
            "for each account, the lower number first: read under a row lock, compute in the program,"
                + " write; then two inserts: single transfers never deadlock",
            "no ids that are unique, no holds; transactions of several transfers deadlock where accounts"
                + " cross",
            List.of("BEGIN", READ, WRITE, READ, WRITE, INSERT, INSERT, "COMMIT"),
            7,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(6);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES);
  }

  @Override
  String tables() {
    return Tables.ACCOUNT_AND_ENTRY;
  }

  @Override
  Stored stored() {
    return Tables.STORED.notBelow(0);
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement read = connection.prepareStatement(arena.text(READ));
    PreparedStatement write = connection.prepareStatement(arena.text(WRITE));
    PreparedStatement insert = connection.prepareStatement(arena.text(INSERT));
    return (operation, committing) -> {
      for (Movement each : operation.movements()) {
        boolean payerIsLower = each.from() < each.to();
        long lower = payerIsLower ? -each.amount() : each.amount();
        if (!change(read, write, Math.min(each.from(), each.to()), lower)
            || !change(read, write, Math.max(each.from(), each.to()), -lower)) {
          connection.rollback();
          return Answer.of(0, operation.size(), 0);
        }
        insert(insert, each, each.to(), each.amount());
        insert(insert, each, each.from(), -each.amount());
      }
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }

  /** False if the account would have less than nothing. */
  private static boolean change(
      PreparedStatement read, PreparedStatement write, int account, long amount)
      throws SQLException {
    long balance = Math.addExact(balance(read, account), amount);
    if (amount < 0 && balance < 0) {
      return false;
    }
    write(write, account, balance);
    return true;
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
