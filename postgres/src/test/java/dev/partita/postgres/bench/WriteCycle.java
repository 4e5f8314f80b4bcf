package dev.partita.postgres.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The group-commit write cycle on one connection: lock and look up in one round trip, decide, write
 * and commit. Used by one thread.
 */
final class WriteCycle implements AutoCloseable {
  /** How the records travel. */
  enum Way {
    TEXT_ARRAYS,
    BINARY_ARRAYS,
    COPY
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Instant POSTGRES_EPOCH = Instant.parse("2000-01-01T00:00:00Z");
  private static final byte[] COPY_SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final int COPY_END = -1;

  /** Small enough that the server reads one piece while the next is being encoded. */
  private static final int COPY_CHUNK_BYTES = 1 << 15;

  private final StateModel model;
  private final Connection connection;
  private final PgBinary out = new PgBinary();
  private final PreparedStatement lockAndLookUp;
  private final PreparedStatement insertAndCommit;
  private final PreparedStatement stateAndCommit;
  private final Path serverSchedule;
  private OffsetDateTime recordedAt = OffsetDateTime.MIN;

  private volatile long cycles;
  private volatile long transfers;
  private volatile long lookUpNanos;
  private volatile long writeNanos;
  private volatile long laneCpuNanos;

  WriteCycle(String url, StateModel model) throws SQLException {
    this.model = model;
    this.connection = connect(url);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET synchronous_commit = on; SET enable_seqscan = off; SET jit = off;"
              + " SET plan_cache_mode = force_generic_plan");
    }
    this.serverSchedule =
        Path.of("/proc/" + connection.unwrap(PGConnection.class).getBackendPID() + "/schedstat");
    // The transaction is begun and ended by the statements themselves: left to the driver, BEGIN
    // would be a message of its own whose answer wakes the client once more per cycle.
    this.lockAndLookUp = connection.prepareStatement(model.lockAndLookUp());
    this.insertAndCommit = connection.prepareStatement(model.insertAndCommit());
    this.stateAndCommit = connection.prepareStatement(model.stateAndCommit());
  }

  static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("autosave", "never");
    properties.setProperty("ApplicationName", "account-state-bench");
    // uuid[] and numeric[]: the driver sends them binary only when told to.
    properties.setProperty("binaryTransferEnable", "2951,1231");
    return DriverManager.getConnection(url, properties);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the lane's thread counts; others read
  void commit(Batch batch, Way way) throws SQLException {
    long start = System.nanoTime();
    lockAndLookUp(batch, way);
    long lookedUp = System.nanoTime();
    batch.decide();
    long decided = System.nanoTime();
    if (way == Way.COPY) {
      copy(batch);
      bindState(stateAndCommit, 1, batch, true);
      stateAndCommit.execute();
    } else {
      insert(batch, way == Way.BINARY_ARRAYS);
    }
    lookUpNanos += lookedUp - start;
    writeNanos += System.nanoTime() - decided;
    laneCpuNanos = THREADS.getCurrentThreadCpuTime();
    transfers += batch.size();
    cycles++;
  }

  private void lockAndLookUp(Batch batch, Way way) throws SQLException {
    PreparedStatement statement = lockAndLookUp;
    int parameter = 1;
    statement.setObject(parameter++, batch.accounts);
    if (model == StateModel.RECORDS) {
      statement.setObject(parameter++, batch.accounts);
    }
    setArray(statement, parameter, "uuid", batch.ids(way != Way.TEXT_ARRAYS, out));
    statement.execute(); // BEGIN
    int locked = 0;
    try (ResultSet rows = next(statement)) {
      while (rows.next()) {
        locked++;
        if (model == StateModel.ROW) {
          readState(rows, batch);
        }
      }
    }
    if (locked != batch.accounts.length) {
      throw new IllegalStateException("locked " + locked + " of " + batch.accounts.length);
    }
    if (model == StateModel.RECORDS) {
      try (ResultSet rows = next(statement)) {
        while (rows.next()) {
          readState(rows, batch);
        }
      }
    }
    try (ResultSet rows = next(statement)) {
      if (rows.next()) {
        throw new IllegalStateException("id used before: " + rows.getString(1));
      }
    }
    try (ResultSet rows = next(statement)) {
      rows.next();
      recordedAt = rows.getObject(1, OffsetDateTime.class);
      batch.recordedAtMicros = ChronoUnit.MICROS.between(POSTGRES_EPOCH, recordedAt.toInstant());
      batch.number = rows.getLong(2);
    }
  }

  private static ResultSet next(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new IllegalStateException("a statement of the look-up returned no rows");
    }
    return statement.getResultSet();
  }

  private static void readState(ResultSet row, Batch batch) throws SQLException {
    int account = batch.indexOf(row.getInt(1));
    batch.versions[account] = row.getLong(2);
    for (int c = 0; c < Batch.COUNTERS; c++) {
      BigDecimal counter = row.getBigDecimal(3 + c);
      batch.counters[c][account] = counter == null ? 0 : counter.longValueExact();
    }
  }

  private void insert(Batch batch, boolean binary) throws SQLException {
    PreparedStatement statement = insertAndCommit;
    int parameter = 1;
    statement.setObject(parameter++, recordedAt.withOffsetSameInstant(ZoneOffset.UTC));
    statement.setLong(parameter++, batch.number);
    setArray(statement, parameter++, "uuid", batch.ids(binary, out));
    statement.setObject(parameter++, batch.kinds());
    statement.setObject(parameter++, batch.flags());
    statement.setObject(parameter++, batch.debits());
    statement.setObject(parameter++, batch.credits());
    statement.setObject(parameter++, batch.debitVersions());
    statement.setObject(parameter++, batch.creditVersions());
    setNumerics(statement, parameter++, binary, batch.amounts(), false);
    for (int c = 0; c < 2 * Batch.COUNTERS; c++) {
      setNumerics(statement, parameter++, binary, batch.counterAfter(c), true);
    }
    bindState(statement, parameter, batch, binary);
    statement.execute();
    if (statement.getUpdateCount() != batch.size()) {
      throw new IllegalStateException("wrote " + statement.getUpdateCount() + " rows");
    }
  }

  private void bindState(PreparedStatement statement, int first, Batch batch, boolean binary)
      throws SQLException {
    if (model != StateModel.ROW) {
      return;
    }
    statement.setObject(first, batch.accounts);
    statement.setObject(first + 1, batch.versions);
    for (int c = 0; c < Batch.COUNTERS; c++) {
      setNumerics(statement, first + 2 + c, binary, batch.counters[c], false);
    }
  }

  private void setNumerics(
      PreparedStatement statement, int index, boolean binary, long[] values, boolean zeroAsNull)
      throws SQLException {
    setArray(statement, index, "numeric", Batch.numerics(binary, out, values, zeroAsNull));
  }

  private void setArray(PreparedStatement statement, int index, String type, Object value)
      throws SQLException {
    if (value instanceof Object[] elements) {
      statement.setArray(index, connection.createArrayOf(type, elements));
    } else {
      statement.setObject(index, value);
    }
  }

  private void copy(Batch batch) throws SQLException {
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(model.copy());
    out.clear().putBytes(COPY_SIGNATURE);
    for (int i = 0; i < batch.size(); i++) {
      batch.appendCopyRow(out, i);
      if (out.length() >= COPY_CHUNK_BYTES) {
        copy.writeToCopy(out.buffer(), 0, out.length());
        out.clear();
      }
    }
    out.reserve(Short.BYTES).putShort(COPY_END);
    copy.writeToCopy(out.buffer(), 0, out.length());
    if (copy.endCopy() != batch.size()) {
      throw new IllegalStateException("copied " + copy.getHandledRowCount() + " rows");
    }
  }

  /** What has been done so far; any thread may ask. */
  Progress progress() {
    return new Progress(
        System.nanoTime(),
        cycles,
        transfers,
        lookUpNanos,
        writeNanos,
        laneCpuNanos,
        serverCpuNanos());
  }

  /** Processor time of the lane's server process; 0 if it runs elsewhere or not on Linux. */
  private long serverCpuNanos() {
    try {
      return Long.parseLong(Files.readString(serverSchedule).split(" ", -1)[0]);
    } catch (IOException e) {
      return 0;
    }
  }

  record Progress(
      long atNanos,
      long cycles,
      long transfers,
      long lookUpNanos,
      long writeNanos,
      long laneCpuNanos,
      long serverCpuNanos) {
    Progress since(Progress earlier) {
      return new Progress(
          atNanos - earlier.atNanos,
          cycles - earlier.cycles,
          transfers - earlier.transfers,
          lookUpNanos - earlier.lookUpNanos,
          writeNanos - earlier.writeNanos,
          laneCpuNanos - earlier.laneCpuNanos,
          serverCpuNanos - earlier.serverCpuNanos);
    }

    long transfersPerSecond() {
      return transfers * 1_000_000_000L / Math.max(atNanos, 1);
    }

    long microsPerCycle() {
      return atNanos / Math.max(cycles, 1) / 1_000;
    }

    long lookUpMicrosPerCycle() {
      return lookUpNanos / Math.max(cycles, 1) / 1_000;
    }

    long writeMicrosPerCycle() {
      return writeNanos / Math.max(cycles, 1) / 1_000;
    }

    long serverCpuNanosPerTransfer() {
      return serverCpuNanos / Math.max(transfers, 1);
    }

    long laneCpuNanosPerTransfer() {
      return laneCpuNanos / Math.max(transfers, 1);
    }

    long transfersPerCycle() {
      return transfers / Math.max(cycles, 1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
