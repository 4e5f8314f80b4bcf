package dev.partita.lab.contender;

import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Remembers which call brought which transfers, by an instant for each call. Thread-safe. */
final class PgLedgerSent {

  static final String TABLE =
      """
      CREATE TABLE {schema}.lab_sent (
        event_at timestamptz, place int, id uuid NOT NULL, PRIMARY KEY (event_at, place));
      """;

  private static final String INSERT =
      "INSERT INTO {schema}.lab_sent (event_at, place, id)"
          + " SELECT ?, place, id FROM unnest(?::uuid[]) WITH ORDINALITY AS s (id, place)";

  private static final int WRITE_AT_ONCE = 1_000;

  private final AtomicLong lastMicros = new AtomicLong();
  private final Queue<Sent> unwritten = new ConcurrentLinkedQueue<>();

  private record Sent(OffsetDateTime eventAt, Operation operation) {}

  /** An instant for a call: now, or a microsecond after that of the call before. */
  OffsetDateTime add(Operation operation) {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long micros = lastMicros.updateAndGet(last -> Math.max(last + 1, now));
    OffsetDateTime eventAt = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    unwritten.add(new Sent(eventAt, operation));
    return eventAt;
  }

  /** Writes what was not written before. For one thread at a time. */
  void writeTo(Arena arena) throws SQLException {
    try (Connection connection = arena.connect();
        PreparedStatement insert = connection.prepareStatement(arena.text(INSERT))) {
      connection.setAutoCommit(false);
      int pending = 0;
      for (Sent each : unwritten) {
        insert.setObject(1, each.eventAt());
        insert.setArray(
            2,
            connection.createArrayOf(
                "uuid", each.operation().movements().stream().map(Movement::id).toArray()));
        insert.addBatch();
        if (++pending % WRITE_AT_ONCE == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
      connection.commit();
      for (int i = 0; i < pending; i++) {
        unwritten.remove();
      }
    }
  }
}
