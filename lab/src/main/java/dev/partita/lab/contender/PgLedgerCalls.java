package dev.partita.lab.contender;

import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Calls pgledger's functions on one connection, and remembers which call brought what. */
final class PgLedgerCalls implements Worker {

  static final String ONE =
      """
      SELECT id FROM pgledger_create_transfer(?::text, ?::text, ?::numeric, event_at => ?::timestamptz)
      """;

  static final String MANY =
      """
      SELECT id FROM pgledger_create_transfers(transfer_requests => (
        SELECT array_agg((payer, paid, amount)::transfer_request ORDER BY place)
        FROM unnest(?::text[], ?::text[], ?::bigint[])
          WITH ORDINALITY AS r (payer, paid, amount, place)), event_at => ?::timestamptz)
      """;

  private static final String REMEMBER =
      "INSERT INTO {schema}.lab_sent (event_at, place, id)"
          + " SELECT ?, place, id FROM unnest(?::uuid[]) WITH ORDINALITY AS s (id, place)";

  private static final int REMEMBER_AT_ONCE = 1_000;

  /** What a function raises of its own. */
  private static final String RAISED = "P0001";

  private final Arena arena;
  private final String[] ids;
  private final AtomicLong lastEventMicros;
  private final List<Sent> sent = new ArrayList<>();
  private final SqlWorker worker;

  private record Sent(OffsetDateTime eventAt, List<UUID> ids) {}

  /**
   * With a connection of its own.
   *
   * @param ids of the accounts, by their number
   * @param lastEventMicros shared by all workers, so that no two calls have the same instant
   */
  PgLedgerCalls(Arena arena, String[] ids, AtomicLong lastEventMicros) throws SQLException {
    this.arena = arena;
    this.ids = ids;
    this.lastEventMicros = lastEventMicros;
    this.worker = new SqlWorker(arena, this::on);
  }

  private SqlWorker.Transaction on(Connection connection, Arena place) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(PgLedger.searchPath(place));
    }
    PreparedStatement one = connection.prepareStatement(ONE);
    PreparedStatement many = connection.prepareStatement(MANY);
    return (operation, committing) -> {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      OffsetDateTime eventAt = eventAt();
      List<Movement> movements = operation.movements();
      sent.add(new Sent(eventAt, movements.stream().map(Movement::id).toList()));
      PreparedStatement call = movements.size() == 1 ? one : many;
      if (movements.size() == 1) {
        bind(one, movements.getFirst());
      } else {
        bind(many, movements);
      }
      call.setObject(4, eventAt);
      committing.run();
      return call(call, operation);
    };
  }

  /** Now, or a microsecond after the call before. */
  private OffsetDateTime eventAt() {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long micros = lastEventMicros.updateAndGet(last -> Math.max(last + 1, now));
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private void bind(PreparedStatement one, Movement movement) throws SQLException {
    one.setString(1, ids[movement.from()]);
    one.setString(2, ids[movement.to()]);
    one.setLong(3, movement.amount());
  }

  private void bind(PreparedStatement many, List<Movement> movements) throws SQLException {
    Connection connection = many.getConnection();
    many.setArray(
        1,
        connection.createArrayOf(
            "text", movements.stream().map(each -> ids[each.from()]).toArray()));
    many.setArray(
        2,
        connection.createArrayOf("text", movements.stream().map(each -> ids[each.to()]).toArray()));
    many.setArray(
        3, connection.createArrayOf("int8", movements.stream().map(Movement::amount).toArray()));
  }

  private static Answer call(PreparedStatement call, Operation operation) throws SQLException {
    int made = 0;
    try (ResultSet rows = call.executeQuery()) {
      while (rows.next()) {
        made++;
      }
    } catch (SQLException e) {
      if (RAISED.equals(e.getSQLState())
          && String.valueOf(e.getMessage()).contains("does not allow negative balance")) {
        return new Answer(Outcome.REJECTED, 0, operation.size(), 0);
      }
      throw e;
    }
    Tables.requireRows(operation.size(), made);
    return Answer.committed(made);
  }

  @Override
  public Answer perform(Operation operation) {
    return worker.perform(operation);
  }

  /** Without what was sent, every transfer looks like one that nobody sent: that will be seen. */
  @Override
  public void close() {
    worker.close();
    try {
      remember();
    } catch (SQLException e) {
      System.getLogger(PgLedgerCalls.class.getName())
          .log(System.Logger.Level.WARNING, "what was sent to pgledger could not be written", e);
    }
  }

  private void remember() throws SQLException {
    try (Connection connection = arena.connect();
        PreparedStatement insert = connection.prepareStatement(arena.text(REMEMBER))) {
      connection.setAutoCommit(false);
      for (int i = 0; i < sent.size(); i++) {
        insert.setObject(1, sent.get(i).eventAt());
        insert.setArray(2, connection.createArrayOf("uuid", sent.get(i).ids().toArray()));
        insert.addBatch();
        if (i % REMEMBER_AT_ONCE == REMEMBER_AT_ONCE - 1) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
      connection.commit();
      sent.clear();
    }
  }
}
