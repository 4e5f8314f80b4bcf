package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * The same work as {@link Naive} in one statement, committed by itself: one round trip, however
 * many transfers the caller brings. Ids are unique, so a repeat is recognised.
 */
public final class OneStatement extends SqlContender {

  private static final String TABLES =
      """
      CREATE TABLE {schema}.account (no int PRIMARY KEY, balance bigint NOT NULL);
      CREATE TABLE {schema}.transfer (
        id {id} PRIMARY KEY, payer int NOT NULL, paid int NOT NULL, amount bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE TABLE {schema}.entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transfer {id} NOT NULL, account int NOT NULL, amount bigint NOT NULL);
      CREATE INDEX ON {schema}.entry (account, id);
      INSERT INTO {schema}.account SELECT i, {opening} FROM generate_series(0, {accounts} - 1) i;
      """;

  /**
   * One transfer. The second update waits for the first one's rows, so that accounts are locked in
   * the order of their numbers; a separate lock would write to the log.
   */
  private static final String POST_ONE =
      """
      WITH request AS (SELECT ?::uuid::{id} AS id, ?::int AS payer, ?::int AS paid, ?::bigint AS amount),
      made AS (
        INSERT INTO {schema}.transfer (id, payer, paid, amount)
        SELECT id, payer, paid, amount FROM request ON CONFLICT (id) DO NOTHING
        RETURNING id, payer, paid, amount),
      lower AS (
        UPDATE {schema}.account a
        SET balance = a.balance + CASE WHEN m.payer < m.paid THEN -m.amount ELSE m.amount END
        FROM made m WHERE a.no = least(m.payer, m.paid) RETURNING a.no),
      higher AS (
        UPDATE {schema}.account a
        SET balance = a.balance + CASE WHEN m.payer < m.paid THEN m.amount ELSE -m.amount END
        FROM made m WHERE a.no = greatest(m.payer, m.paid) AND (SELECT count(*) FROM lower) = 1
        RETURNING a.no),
      written AS (
        INSERT INTO {schema}.entry (transfer, account, amount)
        SELECT id, payer, -amount FROM made UNION ALL SELECT id, paid, amount FROM made
        RETURNING account)
      SELECT (SELECT count(*) FROM made),
             (SELECT count(*) FROM lower) + (SELECT count(*) FROM higher),
             2 * (SELECT count(*) FROM made), (SELECT count(*) FROM written)
      """;

  /**
   * Many. First all ids, in their order, then all accounts, in theirs: two such statements cannot
   * wait for each other. One update of each account, by the sum of what moves on it.
   */
  private static final String POST_MANY =
      """
      WITH made AS (
        INSERT INTO {schema}.transfer (id, payer, paid, amount)
        SELECT r.id::{id}, r.payer, r.paid, r.amount
        FROM unnest(?::uuid[], ?::int[], ?::int[], ?::bigint[]) AS r (id, payer, paid, amount)
        ORDER BY 1 ON CONFLICT (id) DO NOTHING
        RETURNING id, payer, paid, amount),
      lines AS (
        SELECT id, payer AS account, -amount AS amount FROM made
        UNION ALL SELECT id, paid, amount FROM made),
      sums AS (
        SELECT account, sum(amount)::bigint AS amount FROM lines GROUP BY account),
      due AS (
        SELECT a.no, s.amount FROM sums s JOIN {schema}.account a ON a.no = s.account
        ORDER BY a.no FOR NO KEY UPDATE OF a),
      moved AS (
        UPDATE {schema}.account a SET balance = a.balance + d.amount
        FROM due d WHERE a.no = d.no RETURNING a.no),
      written AS (
        INSERT INTO {schema}.entry (transfer, account, amount)
        SELECT id, account, amount FROM lines RETURNING account)
      SELECT (SELECT count(*) FROM made), (SELECT count(*) FROM moved),
             (SELECT count(*) FROM sums), (SELECT count(*) FROM written)
      """;

  /**
   * A plan for these arrays looks cheaper than the cached one: every call would be planned again.
   */
  private static final String GENERIC_PLAN = "SET plan_cache_mode = force_generic_plan";

  private final String idType;
  private final String setting;

  private OneStatement(String idType, String setting) {
    this.idType = idType;
    this.setting = setting;
  }

  /** With ids of 16 bytes, planned once. */
  public OneStatement() {
    this("uuid", GENERIC_PLAN);
  }

  /** The same with ids stored as text. */
  public OneStatement textIds() {
    return new OneStatement("text", setting);
  }

  /** The same under another {@code plan_cache_mode}. */
  public OneStatement planned(String mode) {
    return new OneStatement(idType, "SET plan_cache_mode = " + mode);
  }

  private String text(String sql) {
    return sql.replace("{id}", idType);
  }

  @Override
  public Card card() {
    return new Card(
            idType.equals("uuid") ? "one-statement" : "one-statement-" + idType + "-ids",
            "insert of transfers and entries and update of accounts in one writable CTE, committed by"
                + " itself; accounts are locked in the order of their numbers, and a batch is one"
                + " statement too, with one update of each account by its sum",
            "no limits, no holds",
            List.of(setting + " (once a connection)", text(POST_ONE), text(POST_MANY)),
            1,
            "READ COMMITTED",
            "row counts",
            64)
        .holding(0);
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.UNIQUE_IDS);
  }

  @Override
  String tables() {
    return text(TABLES);
  }

  @Override
  Stored stored() {
    return new Stored(
        "SELECT no AS account, balance AS amount FROM {schema}.account",
        "SELECT transfer::uuid AS transfer, account, amount FROM {schema}.entry",
        null,
        "{schema}.account,{schema}.transfer,{schema}.entry");
  }

  @Override
  SqlWorker.Transaction on(Connection connection, Arena arena) throws SQLException {
    try (Statement settings = connection.createStatement()) {
      settings.execute(setting);
    }
    PreparedStatement one = connection.prepareStatement(arena.text(text(POST_ONE)));
    PreparedStatement many = connection.prepareStatement(arena.text(text(POST_MANY)));
    return (operation, committing) -> {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      boolean single = operation.size() == 1;
      if (single) {
        bind(one, operation.movements().getFirst());
      } else {
        MovementArrays.bind(many, 1, operation.movements());
      }
      committing.run();
      int made = post(single ? one : many);
      return Answer.of(made, 0, operation.size() - made);
    };
  }

  private static void bind(PreparedStatement post, Movement movement) throws SQLException {
    post.setObject(1, movement.id());
    post.setInt(2, movement.from());
    post.setInt(3, movement.to());
    post.setLong(4, movement.amount());
  }

  private static int post(PreparedStatement post) throws SQLException {
    try (ResultSet row = post.executeQuery()) {
      row.next();
      int made = row.getInt(1);
      Tables.requireRows(row.getInt(3), row.getInt(2));
      Tables.requireRows(2 * made, row.getInt(4));
      return made;
    }
  }
}
