package dev.partita.postgres;

import dev.partita.Amount;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.rules.HoldState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/**
 * The second round trip of a write: the records of a decision, what became of holds, and where
 * wanted the COMMIT, in one pipeline. Large batches go through COPY, which takes two round trips
 * more. A lane that is alone writes in one round trip altogether; see {@link #writeIfAlone}.
 */
final class RecordWriter {

  /** From so many records on COPY BINARY saves more than its two extra round trips cost. */
  static final int COPY_FROM_RECORDS = 2_048;

  /** A commit that may or may not have happened. */
  static final class UnknownCommitException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownCommitException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Choices of columns that get a statement of their own; any others send all columns. */
  private static final int SHAPES_MAX = 200;

  private final String schema;
  private final Map<ArraySink.Shape, String> inserts = new ConcurrentHashMap<>();
  private final String copy;
  private final String lockAndInsert;
  private final String onlyIfAlone;
  private final String insertHolds;
  private final String deleteHolds;
  private final String updateHolds;

  RecordWriter(String schema) {
    this.schema = schema;
    copy = RecordColumns.copy(schema);
    lockAndInsert =
        """
        BEGIN;
        WITH locked AS MATERIALIZED (
          SELECT a.no FROM %1$s.account a WHERE a.no = ANY(?::int[]) ORDER BY a.no
          FOR NO KEY UPDATE OF a),
        taken AS MATERIALIZED (
          SELECT nextval('%1$s.batch') AS number, pg_catalog.clock_timestamp() AS at, accounts
          FROM (SELECT count(*) AS accounts FROM locked) every),
        inserted AS (
        """
            .formatted(schema);
    onlyIfAlone =
        """
        WHERE NOT EXISTS (SELECT FROM %1$s.transfer t WHERE t.id = ANY(?::uuid[]))
          AND (SELECT accounts FROM taken) = ? AND (SELECT number FROM taken) = ?
          AND pg_catalog.pg_backend_pid() = ?
          AND (SELECT at FROM taken) >= ?::timestamptz
          RETURNING 1)
        SELECT count(*), (SELECT at FROM taken) FROM inserted;
        COMMIT"""
            .formatted(schema);
    insertHolds =
        "INSERT INTO "
            + schema
            + ".hold (batch, deadline, debit_no, credit_no, batch_index, id, remaining) SELECT"
            + " unnest(?::bigint[]), unnest(?::timestamptz[]), unnest(?::int[]), unnest(?::int[]),"
            + " unnest(?::smallint[]), unnest(?::uuid[]), unnest(?::numeric[]);\n";
    deleteHolds =
        "WITH gone AS (DELETE FROM "
            + schema
            + ".hold WHERE id = ANY(?::uuid[]) RETURNING 1) SELECT "
            + schema
            + ".expect_rows((SELECT count(*) FROM gone), ?);\n";
    updateHolds =
        "WITH changed AS (UPDATE "
            + schema
            + ".hold h SET remaining = n.remaining FROM (SELECT unnest(?::uuid[]) AS id,"
            + " unnest(?::numeric[]) AS remaining) n WHERE h.id = n.id RETURNING 1) SELECT "
            + schema
            + ".expect_rows((SELECT count(*) FROM changed), ?);\n";
  }

  /**
   * Writes and commits.
   *
   * @throws SQLException if nothing was committed
   * @throws UnknownCommitException if it may have been
   */
  void writeAndCommit(Connection connection, Decision decision)
      throws SQLException, UnknownCommitException {
    List<RecordColumns.Row> rows = rows(decision);
    boolean copied = rows.size() >= COPY_FROM_RECORDS;
    if (copied) {
      copy(connection, rows);
    }
    Pipeline pipeline = new Pipeline();
    if (!copied) {
      addRows(pipeline, rows, true, ";\n");
    }
    addHolds(pipeline, decision, rows);
    pipeline.add("COMMIT", List.of());
    commit(connection, pipeline, answers -> null);
  }

  /** What {@link #writeIfAlone} sends, but for the time. */
  static final class IfAlone {
    private final Pipeline pipeline = new Pipeline();
    private final int rows;
    private final Instant notBefore;

    private IfAlone(int rows, Instant notBefore) {
      this.rows = rows;
      this.notBefore = notBefore;
    }
  }

  /**
   * What to send for a decision on states that were only assumed. The rows are inserted only if all
   * accounts are there, if the number of the batch shows that nobody else has recorded anything, if
   * the session is the one it was assumed for, if the clock is not behind the last records, and if
   * none of the ids is there. All but the COMMIT is one statement. Its snapshot is older than its
   * locks, so it looks up nothing: it takes the number and reads the clock when the locks are held,
   * and whoever recorded anything while it waited for them has taken a number before. (An id that
   * somebody recorded meanwhile ends in a violation of its index.)
   */
  IfAlone ifAlone(Decision decision) {
    FoundBooks assumed = decision.found();
    List<RecordColumns.Row> rows = rows(decision);
    IfAlone write = new IfAlone(rows.size(), assumed.notBefore());
    Pipeline pipeline = write.pipeline;
    List<Integer> accounts = assumed.lockedNumbers();
    pipeline.add(lockAndInsert, List.of(ArrayLiteral.of(accounts)));
    addRows(pipeline, rows, false, onlyIfAlone);
    pipeline.addArray(ArrayLiteral.of(rows.stream().map(row -> row.transfer().id()).toList()));
    pipeline.addValue(Integer.toString(accounts.size()));
    pipeline.addValue(Long.toString(assumed.batch()));
    pipeline.addValue(Integer.toString(assumed.backendPid()));
    return write;
  }

  /**
   * Locks, writes and commits in one round trip.
   *
   * @param notBefore the least time of recording, if the decision does not ask for a later one
   * @return the time of recording; null if nothing was recorded because nobody was alone
   * @throws SQLException if nothing was recorded
   * @throws UnknownCommitException if it may have been. The number may be somebody else's
   */
  @Nullable Instant writeIfAlone(Connection connection, IfAlone write, Instant notBefore)
      throws SQLException, UnknownCommitException {
    Instant least = write.notBefore.isAfter(notBefore) ? write.notBefore : notBefore;
    write.pipeline.addValue(RecordColumns.timestamp(least));
    return commit(connection, write.pipeline, answers -> recordedAt(answers, write.rows));
  }

  private static @Nullable Instant recordedAt(Answers answers, int rows) throws SQLException {
    try (ResultSet row = answers.next()) {
      row.next();
      long inserted = row.getLong(1);
      if (inserted != 0 && inserted != rows) {
        throw new SQLException("INSERT took " + inserted + " rows of " + rows, "XX001");
      }
      return inserted == 0 ? null : TransferRows.instant(row, 2);
    }
  }

  /** Reads what was answered before the COMMIT was. */
  private interface Reading {
    @Nullable Instant from(Answers answers) throws SQLException;
  }

  /**
   * Sends statements that end with a COMMIT.
   *
   * @return what the reading makes of their answers
   * @throws SQLException if nothing was committed
   * @throws UnknownCommitException if it may have been
   */
  private static @Nullable Instant commit(Connection connection, Pipeline pipeline, Reading reading)
      throws SQLException, UnknownCommitException {
    try (PreparedStatement statement = pipeline.prepare(connection)) {
      statement.execute();
      requireNoWarning(statement.getWarnings());
      return reading.from(Answers.of(statement));
    } catch (SQLException e) {
      if (isRefused(connection, e)) {
        throw e;
      }
      throw new UnknownCommitException("the commit got no answer", e);
    }
  }

  /** Writes inside the caller's transaction: between a savepoint and its release. */
  void writeInside(Connection connection, Decision decision) throws SQLException {
    Pipeline pipeline = new Pipeline();
    List<RecordColumns.Row> rows = rows(decision);
    pipeline.add("SAVEPOINT partita;\n", List.of());
    addRows(pipeline, rows, true, ";\n");
    addHolds(pipeline, decision, rows);
    pipeline.add("RELEASE SAVEPOINT partita", List.of());
    try (PreparedStatement statement = pipeline.prepare(connection)) {
      statement.execute();
    }
  }

  /**
   * Adds the INSERT.
   *
   * @param timed if not, the server fills in the time of the statement
   * @param end of the statement
   */
  private void addRows(Pipeline pipeline, List<RecordColumns.Row> rows, boolean timed, String end) {
    ArraySink texts = RecordColumns.texts(rows);
    ArraySink.Shape shape = shape(texts.shape(), timed);
    if (inserts.size() >= SHAPES_MAX && !inserts.containsKey(shape)) {
      shape = shape(texts.fullShape(), timed);
    }
    boolean single = shape.single();
    pipeline.add(
        inserts.computeIfAbsent(shape, each -> RecordColumns.insert(schema, each)), List.of());
    shape.constant().stream().forEach(column -> pipeline.addValue(texts.value(column)));
    shape.varying().stream()
        .forEach(
            single
                ? column -> pipeline.addValue(texts.value(column))
                : column -> pipeline.addArray(texts.array(column)));
    pipeline.add(end, List.of());
  }

  private static ArraySink.Shape shape(ArraySink.Shape whole, boolean timed) {
    return timed ? whole : whole.without(RecordColumns.RECORDED_AT);
  }

  private void copy(Connection connection, List<RecordColumns.Row> rows) throws SQLException {
    CopyEncoder encoder = new CopyEncoder(rows.size());
    RecordColumns.encodeAll(rows, encoder);
    encoder.end();
    CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy);
    try {
      in.writeToCopy(encoder.bytes(), 0, encoder.length());
      long count = in.endCopy();
      if (count != rows.size()) {
        throw new SQLException("COPY took " + count + " rows of " + rows.size(), "XX001");
      }
    } finally {
      if (in.isActive()) {
        in.cancelCopy();
      }
    }
  }

  private static List<RecordColumns.Row> rows(Decision decision) {
    FoundBooks found = decision.found();
    List<RecordColumns.Row> rows = new ArrayList<>(decision.draft().size());
    int index = found.firstIndex();
    for (Transfer record : decision.draft().records()) {
      rows.add(
          new RecordColumns.Row(
              record, found.batch(), index++, found.no(record.debit()), found.no(record.credit())));
    }
    return rows;
  }

  private void addHolds(Pipeline pipeline, Decision decision, List<RecordColumns.Row> rows) {
    Map<UUID, HoldState> holds = decision.draft().holds();
    if (holds.isEmpty()) {
      return;
    }
    Map<UUID, RecordColumns.Row> opened = new HashMap<>();
    for (RecordColumns.Row row : rows) {
      if (row.transfer().kind() == TransferKind.PENDING) {
        opened.put(row.transfer().id(), row);
      }
    }
    HoldArrays inserted = new HoldArrays();
    ArrayLiteral deletedIds = new ArrayLiteral();
    ArrayLiteral updatedIds = new ArrayLiteral();
    ArrayLiteral updatedRemaining = new ArrayLiteral();
    int deleted = 0;
    int updated = 0;
    for (Map.Entry<UUID, HoldState> entry : holds.entrySet()) {
      HoldState state = entry.getValue();
      RecordColumns.Row row = opened.get(entry.getKey());
      if (row != null && state.endedBy() == null) {
        inserted.add(row, state.remaining());
      } else if (row == null && state.endedBy() != null) {
        deletedIds.add(entry.getKey());
        deleted++;
      } else if (row == null) {
        updatedIds.add(entry.getKey());
        updatedRemaining.add(state.remaining());
        updated++;
      }
    }
    if (inserted.count > 0) {
      pipeline.add(insertHolds, inserted.arrays());
    }
    if (deleted > 0) {
      pipeline.add(deleteHolds, List.of(deletedIds), deleted);
    }
    if (updated > 0) {
      pipeline.add(updateHolds, List.of(updatedIds, updatedRemaining), updated);
    }
  }

  /** A commit that warns was not confirmed by a standby that it should have waited for. */
  static void requireNoWarning(@Nullable SQLWarning first) throws UnknownCommitException {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      ServerErrorMessage message =
          warning instanceof PSQLWarning ours ? ours.getServerErrorMessage() : null;
      // A notice has the SQLSTATE of success, whatever the server's language calls it.
      boolean notice =
          message != null
              && ("00000".equals(message.getSQLState()) || "NOTICE".equals(message.getSeverity()));
      if (!notice) {
        throw new UnknownCommitException("the commit warned: " + warning.getMessage(), warning);
      }
    }
  }

  /**
   * Whether the server refused and the session goes on: then nothing was committed. The severity
   * does not tell, for the server says it in its own language.
   */
  private static boolean isRefused(Connection connection, SQLException failure) {
    String state = failure.getSQLState();
    if (!(failure instanceof PSQLException ours)
        || ours.getServerErrorMessage() == null
        || state == null
        || state.startsWith("08")
        || state.startsWith("57P")) {
      return false;
    }
    try {
      // After a FATAL error the driver has found the session closed.
      return !connection.unwrap(BaseConnection.class).isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  /** The columns of the holds to insert. */
  private static final class HoldArrays {
    private final ArrayLiteral batches = new ArrayLiteral();
    private final ArrayLiteral deadlines = new ArrayLiteral();
    private final ArrayLiteral debits = new ArrayLiteral();
    private final ArrayLiteral credits = new ArrayLiteral();
    private final ArrayLiteral indexes = new ArrayLiteral();
    private final ArrayLiteral ids = new ArrayLiteral();
    private final ArrayLiteral remaining = new ArrayLiteral();
    private int count;

    void add(RecordColumns.Row row, Amount left) {
      Instant deadline = row.transfer().deadline();
      batches.add(row.batch());
      deadlines.add(deadline == null ? null : RecordColumns.timestamp(deadline));
      debits.add(row.debitNo());
      credits.add(row.creditNo());
      indexes.add(row.index());
      ids.add(row.transfer().id());
      remaining.add(left);
      count++;
    }

    List<ArrayLiteral> arrays() {
      return List.of(batches, deadlines, debits, credits, indexes, ids, remaining);
    }
  }

  /** Statements with their parameters that travel together. */
  private static final class Pipeline {
    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    void add(String statement, List<ArrayLiteral> arrays) {
      text.append(statement);
      parameters.addAll(arrays);
    }

    void addArray(ArrayLiteral array) {
      parameters.add(array);
    }

    /** The text of one value; its type is in the statement. */
    void addValue(@Nullable String value) {
      parameters.add(value);
    }

    void add(String statement, List<ArrayLiteral> arrays, long expectedRows) {
      add(statement, arrays);
      parameters.add(expectedRows);
    }

    PreparedStatement prepare(Connection connection) throws SQLException {
      PreparedStatement statement = connection.prepareStatement(text.toString());
      for (int i = 0; i < parameters.size(); i++) {
        switch (parameters.get(i)) {
          case ArrayLiteral array -> array.bind(statement, i + 1);
          case Long number -> statement.setLong(i + 1, number);
          case null, default -> statement.setObject(i + 1, parameters.get(i), Types.OTHER);
        }
      }
      return statement;
    }
  }
}
