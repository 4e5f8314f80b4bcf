package dev.partita.lab.contender;

import dev.partita.lab.load.Movement;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Tables that several contenders share, so that they differ only in what they are about. */
final class Tables {

  /** One row for each account and two for each transfer. */
  static final String ACCOUNT_AND_ENTRY =
      """
      CREATE TABLE {schema}.account (no int PRIMARY KEY, balance bigint NOT NULL);
      CREATE TABLE {schema}.entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transfer uuid NOT NULL, account int NOT NULL, amount bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX ON {schema}.entry (account, id);
      INSERT INTO {schema}.account SELECT i, {opening} FROM generate_series(0, {accounts} - 1) i;
      """;

  /** How those are read. */
  static final Stored STORED =
      new Stored(
          "SELECT no AS account, balance AS amount FROM {schema}.account",
          "SELECT transfer, account, amount FROM {schema}.entry",
          null,
          "{schema}.account,{schema}.entry");

  /** Both entries of a transfer. */
  static final String INSERT_BOTH =
      "INSERT INTO {schema}.entry (transfer, account, amount) VALUES (?, ?, ?), (?, ?, ?)";

  private Tables() {}

  /** Carries out {@link #INSERT_BOTH}. */
  static void insertBoth(PreparedStatement insert, Movement movement) throws SQLException {
    insert.setObject(1, movement.id());
    insert.setInt(2, movement.from());
    insert.setLong(3, -movement.amount());
    insert.setObject(4, movement.id());
    insert.setInt(5, movement.to());
    insert.setLong(6, movement.amount());
    requireRows(2, insert.executeUpdate());
  }

  /** Every statement must have done what it is for, or the operation counts as an error. */
  static void requireRows(int expected, int actual) throws SQLException {
    if (expected != actual) {
      throw new SQLException("expected " + expected + " rows, were " + actual);
    }
  }
}
