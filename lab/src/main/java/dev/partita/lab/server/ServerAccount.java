package dev.partita.lab.server;

import dev.partita.MisuseException;
import dev.partita.embedded.Login;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Keeps the server's books during a run, from a connection of its own. A role that owns its schema
 * and nothing else is enough; what it may not see is null, and a note says so.
 *
 * <p>In this order: {@link #stored}, {@link #before()}, a reading of {@link #cpu()}; the load, with
 * {@link #waits} beside it if wanted; end of all workers and of the waits; a second reading of the
 * CPU account, at once, so that no waiting is in it; {@link #after()} and {@link #stored}. For one
 * thread.
 */
public final class ServerAccount implements AutoCloseable {

  /** Ways of syncing the log that go through a call of their own, which is what is counted. */
  private static final Set<String> COUNTED_SYNCS =
      Set.of("fsync", "fdatasync", "fsync_writethrough");

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final String SERVER =
      """
      SELECT pg_catalog.pg_postmaster_start_time()::text AS started,
             pg_catalog.current_setting('wal_sync_method') AS "syncMethod",
             pg_catalog.current_setting('fsync') AS fsync
      """;

  private static final String SIZES =
      """
      WITH part AS (
        SELECT relid FROM pg_catalog.pg_partition_tree(?::regclass)
        UNION SELECT ?::regclass)
      SELECT coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0) AS total,
             coalesce(sum(pg_catalog.pg_indexes_size(c.oid)), 0) AS indexes,
             coalesce(sum(CASE WHEN c.reltoastrelid = 0 THEN 0
               ELSE pg_catalog.pg_total_relation_size(c.reltoastrelid) END), 0) AS toast
      FROM part JOIN pg_catalog.pg_class c ON c.oid = part.relid
      """;

  private static final String FIND =
      """
      SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name, n.nspname = ? AS ours
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = pg_catalog.to_regclass(?) AND c.relkind IN ('r', 'p', 'm')
      """;

  private final Login login;
  private final String schema;
  private final Monitor monitor;
  private final Catalogue catalogue;
  private final Duration patience;

  /** Open from the beginning, so that opening it is never part of what a run did. */
  private final Monitor waitMonitor;

  private ServerAccount(
      Place place, Monitor monitor, Monitor waitMonitor, Catalogue catalogue, Duration patience) {
    this.login = place.login();
    this.schema = place.schema();
    this.monitor = monitor;
    this.waitMonitor = waitMonitor;
    this.catalogue = catalogue;
    this.patience = patience;
  }

  private record Place(Login login, String schema) {}

  /** Connects; waits for all counters, see {@link #open(Login, String, Duration)}. */
  public static ServerAccount open(Login login, String schema) throws SQLException {
    return open(login, schema, PATIENCE);
  }

  /**
   * Connects.
   *
   * @param login of the role that the contender works as
   * @param schema that holds the contender's tables and nothing else
   * @param patience how long each snapshot may wait for sessions that stay open. The server lets
   *     them keep what they have counted for ten seconds after they became idle, so with less than
   *     eleven seconds a snapshot can miss the last of it, and a note says so. Sessions that are
   *     closed cost no time
   */
  public static ServerAccount open(Login login, String schema, Duration patience)
      throws SQLException {
    Monitor monitor = Monitor.open(login);
    try {
      return new ServerAccount(
          new Place(login, schema),
          monitor,
          Monitor.open(login),
          monitor.ask(Catalogue::of),
          patience);
    } catch (SQLException | RuntimeException e) {
      monitor.close();
      throw e;
    }
  }

  /**
   * Counters at the beginning of a cell: before its warm-up, while nobody works. Waits like {@link
   * #after()}, so that loading does not count as part of the run.
   */
  public ServerSnapshot before() throws SQLException {
    return settled();
  }

  /**
   * Counters at its end, when all workers, best their stage too, and the waits are closed. Waits
   * until what they did is counted: a quarter of a second if their sessions have ended, eleven
   * seconds if some stay open.
   */
  public ServerSnapshot after() throws SQLException {
    return settled();
  }

  private ServerSnapshot settled() throws SQLException {
    List<String> notes = new ArrayList<>();
    Settling.await(monitor, schema, patience, notes);
    return monitor.ask(open -> snapshot(open, notes));
  }

  private ServerSnapshot snapshot(Connection open, List<String> notes) throws SQLException {
    Map<String, Long> counters = new HashMap<>();
    Map<String, String> resets = new HashMap<>();
    catalogue.read(open, schema, counters, resets, notes);
    Map<String, Object> server = Monitor.row(open, SERVER);
    String method = Objects.requireNonNullElse(Monitor.text(server, "syncMethod"), "");
    boolean counted = COUNTED_SYNCS.contains(method) && "on".equals(server.get("fsync"));
    return new ServerSnapshot(
        Objects.requireNonNullElse(Monitor.text(server, "started"), ""),
        counters,
        resets,
        monitor.transactions() + waitMonitor.transactions(),
        counted ? method : null,
        notes);
  }

  /**
   * Clears dead rows away, writes everything out and measures tables of the schema.
   *
   * @param relations their names, with the schema, comma-separated
   * @throws MisuseException if one is not a table of the schema
   */
  public StoredBytes stored(String relations) throws SQLException {
    List<String> notes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String each : relations.split(",", -1)) {
      names.add(find(each.strip()));
    }
    try (Connection connection = login.connect();
        Statement statement = connection.createStatement()) {
      for (String each : names) {
        statement.execute("VACUUM " + each);
      }
      checkpoint(statement, notes);
    }
    List<StoredBytes.Relation> sizes = new ArrayList<>();
    for (String each : names) {
      sizes.add(monitor.ask(open -> size(open, each)));
    }
    return new StoredBytes(sizes, notes);
  }

  private static void checkpoint(Statement statement, List<String> notes) {
    try {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      notes.add("sizes without a checkpoint: " + Monitor.reason(e));
    }
  }

  /** Its name as the server would write it. Vacuuming somebody else's table is not ours to do. */
  private String find(String relation) throws SQLException {
    return monitor.ask(
        open -> {
          try (PreparedStatement find = open.prepareStatement(FIND)) {
            find.setString(1, schema);
            find.setString(2, relation);
            try (ResultSet rows = find.executeQuery()) {
              if (!rows.next() || !rows.getBoolean("ours")) {
                throw new MisuseException(
                    "relations", "\"" + relation + "\" is not a table of schema " + schema);
              }
              return rows.getString("name");
            }
          }
        });
  }

  private static StoredBytes.Relation size(Connection open, String name) throws SQLException {
    Map<String, Object> row = Monitor.row(open, SIZES, name, name);
    long total = number(row, "total");
    long indexes = number(row, "indexes");
    long toast = number(row, "toast");
    return new StoredBytes.Relation(name, total - indexes - toast, indexes, toast);
  }

  private static long number(Map<String, Object> row, String column) {
    Long value = Monitor.number(row, column);
    return value == null ? 0 : value;
  }

  /**
   * Begins to sample what the database's sessions wait for, on a thread and a connection of its
   * own. Its transactions are left out of the counts like ours. One at a time.
   *
   * @param every time between two samples; 50 ms is usual
   */
  public Waits waits(Duration every) {
    return Waits.start(waitMonitor, every);
  }

  /** Finds out whether the server's CPU time can be read here. */
  public CpuAccount cpu() throws SQLException {
    return CpuAccount.of(monitor);
  }

  @Override
  public void close() throws SQLException {
    try {
      waitMonitor.close();
    } finally {
      monitor.close();
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "ServerAccount[%s, schema %s]", login, schema);
  }
}
