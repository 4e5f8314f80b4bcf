package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The transaction everybody writes first: two updates that add and subtract in SQL, and one insert
 * of both entries. A batch is the same with more statements.
 */
public final class Naive extends SqlContender {

  private static final String UPDATE =
      "UPDATE {schema}.account SET balance = balance + ? WHERE no = ?";

  /** Which of both updates comes first; the hot account of a workload is number 0. */
  public enum Order {
    /** The account with the lower number. */
    HOT_FIRST,
    /** The account with the higher number: the hot row is held for less of the transaction. */
    HOT_LAST
  }

  private final Order order;

  /** With the updates in this order. */
  public Naive(Order order) {
    this.order = order;
  }

  @Override
  public Card card() {
    return new Card(
            order == Order.HOT_FIRST ? "naive" : "naive-hot-last",
            "BEGIN, two UPDATEs that add in SQL, the "
                + (order == Order.HOT_FIRST ? "lower" : "higher")
                + " account number first, an INSERT of both entries, COMMIT: single transfers never"
                + " deadlock",
            "no ids that are unique, no limits, no holds; transactions of several transfers deadlock"
                + " where accounts cross",
            List.of("BEGIN", UPDATE, UPDATE, Tables.INSERT_BOTH, "COMMIT"),
            4,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(order == Order.HOT_FIRST ? 3 : 2);
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
    PreparedStatement update = connection.prepareStatement(arena.text(UPDATE));
    PreparedStatement insert = connection.prepareStatement(arena.text(Tables.INSERT_BOTH));
    return (operation, committing) -> {
      for (Movement each : operation.movements()) {
        boolean payerIsLower = each.from() < each.to();
        if (payerIsLower == (order == Order.HOT_FIRST)) {
          add(update, each.from(), -each.amount());
          add(update, each.to(), each.amount());
        } else {
          add(update, each.to(), each.amount());
          add(update, each.from(), -each.amount());
        }
        Tables.insertBoth(insert, each);
      }
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }

  private static void add(PreparedStatement update, int account, long amount) throws SQLException {
    update.setLong(1, amount);
    update.setInt(2, account);
    Tables.requireRows(1, update.executeUpdate());
  }
}
