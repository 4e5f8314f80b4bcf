package dev.partita.lab.contender;

import dev.partita.Ids;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Movement;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Threads;
import dev.partita.lab.load.Worker;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.util.ByteStreamWriter;

/**
 * What Partita's table and its indexes allow: the very rows that Partita would write, copied into
 * its own table on one connection. What is left out is the work of a ledger.
 */
public final class Ceiling implements Contender {

  @Override
  public Card card() {
    return new Card(
        "ceiling",
        "bare COPY BINARY of the rows that Partita would write into its own table, on one"
            + " connection; an operation is one COPY that commits by itself",
        "no locks, no look-ups, no answers: what the table and its indexes allow",
        List.of(CeilingRows.COPY),
        2,
        "READ COMMITTED",
        "row counts",
        1);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    PartitaBooks.open(arena, "partita-lab-ceiling").close();
    return new CeilingStage(arena);
  }

  /** Keeps every account's state in memory, as if nobody else wrote. */
  private static final class CeilingStage implements Stage {

    /** The states as recorded, and the account's number in the arena. */
    private static final String STATES =
        """
        SELECT substr(v.id, 3)::int, a.no, v.version, v.debits_posted_minor, v.credits_posted_minor
        FROM {schema}.accounts v JOIN {schema}.account a ON a.id = v.id WHERE v.id <> 'world'
        """;

    private static final String BATCH =
        """
        SELECT max(batch), (extract(epoch FROM max(recorded_at)) * 1000000)::bigint
        FROM {schema}.transfer
        """;

    /** Partita itself must find its sequence where the rows are. */
    private static final String SET_BATCH = "SELECT setval('{schema}.batch', ?)";

    private final Arena arena;
    private final Lock lock = new ReentrantLock();
    private final CeilingRows.After[] accounts;
    private @Nullable Connection connection;
    private long batch;
    private long recordedAtMicros;

    CeilingStage(Arena arena) throws SQLException {
      this.arena = arena;
      this.accounts = new CeilingRows.After[arena.accounts()];
      connect();
    }

    private Connection connect() throws SQLException {
      Connection opened = arena.connect();
      try (Statement statement = opened.createStatement()) {
        try (ResultSet row = statement.executeQuery(arena.text(BATCH))) {
          row.next();
          batch = row.getLong(1);
          recordedAtMicros = row.getLong(2);
        }
        try (ResultSet rows = statement.executeQuery(arena.text(STATES))) {
          while (rows.next()) {
            accounts[rows.getInt(1)] =
                new CeilingRows.After(
                    rows.getInt(2), rows.getLong(3), rows.getLong(4), rows.getLong(5));
          }
        }
      } catch (SQLException e) {
        opened.close();
        throw e;
      }
      connection = opened;
      return opened;
    }

    @Override
    public Worker worker() {
      return new Worker() {
        @Override
        public Threads threads() {
          return Threads.PLATFORM;
        }

        @Override
        public Answer perform(Operation operation) {
          lock.lock();
          try {
            return write(operation);
          } finally {
            lock.unlock();
          }
        }

        @Override
        public void close() {}
      };
    }

    private Answer write(Operation operation) {
      boolean committing = false;
      try {
        Connection open = connection == null ? connect() : connection;
        ByteBuffer rows = rows(operation.movements());
        CopyIn copy =
            open.unwrap(PGConnection.class).getCopyAPI().copyIn(arena.text(CeilingRows.COPY));
        copy.writeToCopy(ByteStreamWriter.of(rows));
        committing = true;
        Tables.requireRows(operation.size(), Math.toIntExact(copy.endCopy()));
        return Answer.committed(operation.size());
      } catch (SQLException e) {
        // The states in memory are ahead of the table: read them again.
        disconnect(e);
        return Answer.failed(SqlOutcomes.of(e, committing));
      }
    }

    /** In the order of the ids, which is that of the index, as Partita does. */
    private ByteBuffer rows(List<Movement> movements) {
      long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      recordedAtMicros = Math.max(recordedAtMicros, now);
      batch++;
      List<Row> rows = new ArrayList<>(movements.size());
      for (Movement each : movements) {
        rows.add(
            new Row(
                each,
                rows.size(),
                move(each.from(), each.amount(), 0),
                move(each.to(), 0, each.amount())));
      }
      rows.sort(Comparator.comparing(row -> row.movement().id(), Ids::compareUnsigned));
      CeilingRows encoded = new CeilingRows(rows.size(), batch, recordedAtMicros);
      rows.forEach(row -> encoded.add(row.movement(), row.index(), row.debit(), row.credit()));
      return encoded.end();
    }

    private record Row(
        Movement movement, int index, CeilingRows.After debit, CeilingRows.After credit) {}

    private CeilingRows.After move(int account, long debit, long credit) {
      CeilingRows.After before = accounts[account];
      CeilingRows.After after =
          new CeilingRows.After(
              before.no(),
              before.version() + 1,
              before.debits() + debit,
              before.credits() + credit);
      accounts[account] = after;
      return after;
    }

    private void disconnect(SQLException cause) {
      Connection broken = connection;
      connection = null;
      try {
        if (broken != null) {
          broken.close();
        }
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
    }

    @Override
    public Stored stored() {
      return PartitaBooks.stored(arena);
    }

    @Override
    public void close() throws SQLException {
      lock.lock();
      try (Connection open = connection == null ? connect() : connection;
          PreparedStatement statement = open.prepareStatement(arena.text(SET_BATCH))) {
        connection = null;
        statement.setLong(1, batch);
        statement.execute();
      } finally {
        lock.unlock();
      }
    }
  }
}
