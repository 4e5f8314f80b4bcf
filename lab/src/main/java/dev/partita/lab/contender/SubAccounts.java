package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The hot account as many rows, one picked at random for each transfer: turns are handed out by
 * many rows at once. Its balance is a sum over them, and no limit can be enforced.
 */
public final class SubAccounts extends SqlContender {

  private static final String UPDATE =
      "UPDATE {schema}.account SET balance = balance + ? WHERE no = ? AND part = ?";

  private final int parts;

  /** With the hot account in so many rows. */
  public SubAccounts(int parts) {
    this.parts = parts;
  }

  @Override
  public Card card() {
    return new Card(
        "sub-accounts-" + parts,
        "as naive, with the hot account in " + parts + " rows",
        "no limit on the hot account, its balance is a sum; no ids that are unique, no holds",
        List.of("BEGIN", UPDATE, UPDATE, Tables.INSERT_BOTH, "COMMIT"),
        4,
        "READ COMMITTED",
        "row counts",
        64);
  }

  @Override
  String tables() {
    return """
        CREATE TABLE {schema}.account (
          no int, part int, balance bigint NOT NULL, PRIMARY KEY (no, part));
        CREATE TABLE {schema}.entry (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          transfer uuid NOT NULL, account int NOT NULL, amount bigint NOT NULL,
          created_at timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE INDEX ON {schema}.entry (account, id);
        INSERT INTO {schema}.account
        SELECT i, 0, {opening} FROM generate_series(0, {accounts} - 1) i;
        INSERT INTO {schema}.account SELECT 0, i, 0 FROM generate_series(1, PARTS - 1) i;
        """
        .replace("PARTS", Integer.toString(parts));
  }

  @Override
  Stored stored() {
    return new Stored(
        "SELECT no AS account, sum(balance)::bigint AS amount FROM {schema}.account GROUP BY no",
        "SELECT transfer, account, amount FROM {schema}.entry",
        null,
        "{schema}.account,{schema}.entry");
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement update = connection.prepareStatement(arena.text(UPDATE));
    PreparedStatement insert = connection.prepareStatement(arena.text(Tables.INSERT_BOTH));
    SplittableRandom random = new SplittableRandom();
    return (operation, committing) -> {
      for (Movement each : operation.movements()) {
        boolean payerIsLower = each.from() < each.to();
        long lower = payerIsLower ? -each.amount() : each.amount();
        add(update, Math.min(each.from(), each.to()), random, lower);
        add(update, Math.max(each.from(), each.to()), random, -lower);
        Tables.insertBoth(insert, each);
      }
      committing.run();
      connection.commit();
      return Answer.committed(operation.size());
    };
  }

  private void add(PreparedStatement update, int account, SplittableRandom random, long amount)
      throws SQLException {
    update.setLong(1, amount);
    update.setInt(2, account);
    update.setInt(3, account == 0 ? random.nextInt(parts) : 0);
    Tables.requireRows(1, update.executeUpdate());
  }
}
