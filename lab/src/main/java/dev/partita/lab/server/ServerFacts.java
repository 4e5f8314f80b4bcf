package dev.partita.lab.server;

import dev.partita.embedded.Login;
import dev.partita.lab.host.DiskProbe;
import dev.partita.lab.host.Proc;
import dev.partita.lab.result.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server, as a session of the contender's role finds it, and what its commits cost at best.
 *
 * @param version as it says
 * @param startedAt when it was started, as it says
 * @param durability settings that decide whether an acknowledged commit survives; see {@link
 *     #durability}
 * @param changedSettings all settings that are not the default, by name; values only of those that
 *     matter for safety or speed
 * @param location whether it runs on the generator's machine, as far as it can be proved
 * @param selectOne round trips of the smallest query
 * @param commit smallest durable commits of one connection; null if it was not allowed to try
 * @param disk the floor under those, on the server's file system; null if that is not here
 * @param notes what could not be found out, and why
 */
public record ServerFacts(
    String version,
    String startedAt,
    Map<String, String> durability,
    Map<String, String> changedSettings,
    String location,
    Timing selectOne,
    @Nullable Timing commit,
    @Nullable DiskProbe disk,
    List<String> notes) {

  private static final List<String> DURABILITY =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "commit_delay",
          "commit_siblings",
          "synchronous_standby_names",
          "shared_buffers",
          "max_wal_size",
          "wal_level",
          "autovacuum",
          "data_checksums");

  /** Whose values are shown beside those. None of them can hold a path, a name or a secret. */
  private static final Set<String> SHOWN =
      Set.of(
          "autovacuum_naptime",
          "autovacuum_vacuum_scale_factor",
          "bgwriter_delay",
          "bgwriter_lru_maxpages",
          "checkpoint_completion_target",
          "checkpoint_timeout",
          "deadlock_timeout",
          "default_transaction_isolation",
          "effective_cache_size",
          "effective_io_concurrency",
          "huge_pages",
          "idle_in_transaction_session_timeout",
          "io_method",
          "io_workers",
          "jit",
          "lock_timeout",
          "log_lock_waits",
          "maintenance_work_mem",
          "max_connections",
          "max_worker_processes",
          "min_wal_size",
          "plan_cache_mode",
          "random_page_cost",
          "ssl",
          "statement_timeout",
          "track_io_timing",
          "track_wal_io_timing",
          "transaction_timeout",
          "wal_buffers",
          "wal_compression",
          "wal_init_zero",
          "wal_recycle",
          "wal_writer_delay",
          "work_mem");

  /** Of this very session, and none of the server's business. */
  private static final Set<String> OWN =
      Set.of("application_name", "client_encoding", "DateStyle", "TimeZone", "extra_float_digits");

  private static final String CHANGED =
      """
      SELECT name, pg_catalog.current_setting(name, true) AS value FROM pg_catalog.pg_settings
      WHERE source NOT IN ('default', 'override') ORDER BY name
      """;

  private static final String SELECT_ONE = "SELECT 1";
  private static final int ROUND_TRIPS = 1_000;

  /** Logs a record, so that its commit has something to make durable, and leaves nothing behind. */
  private static final String SMALLEST_COMMIT =
      "SELECT pg_catalog.pg_logical_emit_message(true, 'partita-lab', ''::text)";

  private static final int COMMITS = 200;

  /** Takes copies; the order stays. */
  public ServerFacts {
    durability = Collections.unmodifiableMap(new LinkedHashMap<>(durability));
    changedSettings = Collections.unmodifiableMap(new LinkedHashMap<>(changedSettings));
    notes = List.copyOf(notes);
  }

  /**
   * Asks and measures; takes about a second. Makes transactions, so not during a run.
   *
   * @param login of the role that the contender works as, with the options it works with
   * @param disk a directory on the file system of the server's log, if that is here and this
   *     process may make a file in it; null if not
   */
  public static ServerFacts read(Login login, @Nullable Path disk) throws SQLException {
    List<String> notes = new ArrayList<>();
    try (Connection connection = login.connect()) {
      Map<String, String> durability = durability(connection);
      ServerProcess process = ServerProcess.of(CpuAccount.session(connection), new Proc());
      Map<String, Object> server =
          Monitor.row(
              connection,
              "SELECT pg_catalog.current_setting('server_version') AS version,"
                  + " pg_catalog.pg_postmaster_start_time()::text AS started");
      return new ServerFacts(
          Objects.requireNonNullElse(Monitor.text(server, "version"), ""),
          Objects.requireNonNullElse(Monitor.text(server, "started"), ""),
          durability,
          changed(connection),
          process.reason() == null
              ? "on the generator's machine"
              : "not known to be on the generator's machine: " + process.reason(),
          Timing.of(connection, SELECT_ONE, ROUND_TRIPS),
          commit(connection, durability, notes),
          disk(disk, notes),
          notes);
    }
  }

  /**
   * The durability settings as a session of this login gets them. Read at the beginning and at the
   * end of a run, they have to be equal.
   */
  public static Map<String, String> durability(Login login) throws SQLException {
    try (Connection connection = login.connect()) {
      return durability(connection);
    }
  }

  private static Map<String, String> durability(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String name : DURABILITY) {
      Map<String, Object> row =
          Monitor.row(connection, "SELECT pg_catalog.current_setting(?, true) AS value", name);
      settings.put(name, Objects.requireNonNullElse(Monitor.text(row, "value"), "not available"));
    }
    return settings;
  }

  private static Map<String, String> changed(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CHANGED)) {
      while (rows.next()) {
        String name = rows.getString("name");
        if (!OWN.contains(name)) {
          boolean shown = SHOWN.contains(name) || DURABILITY.contains(name);
          settings.put(
              name,
              shown
                  ? Objects.requireNonNullElse(rows.getString("value"), Place.UNTOLD)
                  : Place.UNTOLD);
        }
      }
    }
    return settings;
  }

  private static @Nullable Timing commit(
      Connection connection, Map<String, String> durability, List<String> notes) {
    try (Statement statement = connection.createStatement()) {
      if ("off".equals(durability.get("synchronous_commit"))) {
        statement.execute("SET synchronous_commit = on");
        notes.add(
            "the cost of a commit was measured with synchronous_commit on; the run has it off");
      }
      return Timing.of(connection, SMALLEST_COMMIT, COMMITS);
    } catch (SQLException e) {
      notes.add("cost of a commit not measured: " + Monitor.reason(e));
      return null;
    }
  }

  private static @Nullable DiskProbe disk(@Nullable Path directory, List<String> notes) {
    if (directory == null) {
      notes.add("disk not probed: no directory of the server's file system is known here");
      return null;
    }
    try {
      return DiskProbe.of(directory);
    } catch (IOException e) {
      notes.add("disk not probed: " + e.getMessage());
      return null;
    }
  }
}
