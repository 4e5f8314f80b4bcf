package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * A function in the database that locks both accounts in the order of their numbers, checks funds,
 * updates and inserts, statement by statement: how ledgers inside PostgreSQL are mostly written. A
 * batch is a loop inside the function.
 */
public final class StoredFunction extends SqlContender {

  private static final String TABLES =
      """
      CREATE TABLE {schema}.account (
        no int PRIMARY KEY, balance bigint NOT NULL, version bigint NOT NULL DEFAULT 0);
      CREATE TABLE {schema}.transfer (
        id uuid PRIMARY KEY, payer int NOT NULL, paid int NOT NULL, amount bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE TABLE {schema}.entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer uuid NOT NULL,
        account int NOT NULL, amount bigint NOT NULL, balance bigint NOT NULL,
        version bigint NOT NULL);
      CREATE INDEX ON {schema}.entry (account, version);
      INSERT INTO {schema}.account SELECT i, {opening} FROM generate_series(0, {accounts} - 1) i;
      CREATE FUNCTION {schema}.post(ids uuid[], payers int[], paids int[], amounts bigint[])
      RETURNS TABLE (made int, refused int, repeated int) LANGUAGE plpgsql AS $$
      DECLARE
        pay {schema}.account;
        got {schema}.account;
      BEGIN
        made := 0; refused := 0; repeated := 0;
        PERFORM 1 FROM {schema}.account a WHERE a.no = ANY (payers || paids) ORDER BY a.no FOR UPDATE;
        FOR i IN 1 .. array_length(ids, 1) LOOP
          IF EXISTS (SELECT 1 FROM {schema}.transfer t WHERE t.id = ids[i]) THEN
            repeated := repeated + 1;
            CONTINUE;
          END IF;
          UPDATE {schema}.account a SET balance = a.balance - amounts[i], version = a.version + 1
          WHERE a.no = payers[i] AND a.balance >= amounts[i] RETURNING a.* INTO pay;
          IF NOT FOUND THEN
            refused := refused + 1;
            CONTINUE;
          END IF;
          UPDATE {schema}.account a SET balance = a.balance + amounts[i], version = a.version + 1
          WHERE a.no = paids[i] RETURNING a.* INTO STRICT got;
          INSERT INTO {schema}.transfer (id, payer, paid, amount)
          VALUES (ids[i], payers[i], paids[i], amounts[i]);
          INSERT INTO {schema}.entry (transfer, account, amount, balance, version)
          VALUES (ids[i], pay.no, -amounts[i], pay.balance, pay.version);
          INSERT INTO {schema}.entry (transfer, account, amount, balance, version)
          VALUES (ids[i], got.no, amounts[i], got.balance, got.version);
          made := made + 1;
        END LOOP;
        RETURN NEXT;
      END $$;
      """;

  private static final String CALL =
      "SELECT made, refused, repeated FROM {schema}.post(?::uuid[], ?::int[], ?::int[], ?::bigint[])";

  @Override
  public Card card() {
    return new Card(
            "function",
            "a PL/pgSQL function: lock in order, check, update, insert, statement by statement",
            "no holds, no maximum",
            List.of(CALL),
            1,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(0);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
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
            "SELECT account, version AS line, amount, balance AS after FROM {schema}.entry",
            "{schema}.account,{schema}.transfer,{schema}.entry")
        .counting("SELECT no AS account, version AS moves FROM {schema}.account")
        .notBelow(0);
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    PreparedStatement call = connection.prepareStatement(arena.text(CALL));
    return (operation, committing) -> {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      MovementArrays.bind(call, 1, operation.movements());
      committing.run();
      try (ResultSet row = call.executeQuery()) {
        row.next();
        Answer answer = Answer.of(row.getInt(1), row.getInt(2), row.getInt(3));
        Tables.requireRows(
            operation.size(), answer.committed() + answer.rejected() + answer.replayed());
        return answer;
      }
    };
  }
}
