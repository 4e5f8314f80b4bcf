package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The same work as {@link Naive} in one statement, committed by itself: one round trip. Ids are
 * unique, so a repeat is recognised.
 */
public final class OneStatement extends SqlContender {

  private static final String TABLES =
      """
      CREATE TABLE {schema}.account (no int PRIMARY KEY, balance bigint NOT NULL);
      CREATE TABLE {schema}.transfer (
        id uuid PRIMARY KEY, payer int NOT NULL, paid int NOT NULL, amount bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE TABLE {schema}.entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transfer uuid NOT NULL, account int NOT NULL, amount bigint NOT NULL);
      CREATE INDEX ON {schema}.entry (account, id);
      INSERT INTO {schema}.account SELECT i, {opening} FROM generate_series(0, {accounts} - 1) i;
      """;

  private static final String POST =
      """
      WITH request AS (SELECT ?::uuid AS id, ?::int AS payer, ?::int AS paid, ?::bigint AS amount),
      made AS (
        INSERT INTO {schema}.transfer (id, payer, paid, amount)
        SELECT id, payer, paid, amount FROM request ON CONFLICT (id) DO NOTHING
        RETURNING id, payer, paid, amount),
      lines AS (
        SELECT id, payer AS account, -amount AS amount FROM made
        UNION ALL SELECT id, paid, amount FROM made),
      moved AS (
        UPDATE {schema}.account a SET balance = a.balance + l.amount
        FROM lines l WHERE a.no = l.account RETURNING a.no),
      written AS (
        INSERT INTO {schema}.entry (transfer, account, amount)
        SELECT id, account, amount FROM lines RETURNING account)
      SELECT (SELECT count(*) FROM made), (SELECT count(*) FROM moved), (SELECT count(*) FROM written)
      """;

  @Override
  public Card card() {
    return new Card(
        "one-statement",
        "insert of the transfer and both entries and update of both accounts in one writable CTE",
        "no limits, no holds; a batch is one statement after another in one transaction",
        List.of(POST),
        1,
        "READ COMMITTED",
        64);
  }

  @Override
  String tables() {
    return TABLES;
  }

  @Override
  Stored stored() {
    return new Stored(
        "SELECT no AS account, balance AS amount FROM {schema}.account",
        "SELECT transfer, account, amount FROM {schema}.entry",
        null,
        "{schema}.account,{schema}.transfer,{schema}.entry");
  }

  @Override
  Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement post = connection.prepareStatement(arena.text(POST));
    return (operation, committing) -> {
      boolean single = operation.size() == 1;
      if (connection.getAutoCommit() != single) {
        connection.setAutoCommit(single);
      }
      int made = 0;
      if (single) {
        committing.run();
      }
      for (Movement each : operation.movements()) {
        made += post(post, each);
      }
      if (!single) {
        committing.run();
        connection.commit();
      }
      return Answer.of(made, 0, operation.size() - made);
    };
  }

  private static int post(PreparedStatement post, Movement movement) throws SQLException {
    post.setObject(1, movement.id());
    post.setInt(2, movement.from());
    post.setInt(3, movement.to());
    post.setLong(4, movement.amount());
    try (ResultSet row = post.executeQuery()) {
      row.next();
      int made = row.getInt(1);
      Tables.requireRows(2 * made, row.getInt(2));
      Tables.requireRows(2 * made, row.getInt(3));
      return made;
    }
  }
}
