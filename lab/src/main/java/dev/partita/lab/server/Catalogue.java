package dev.partita.lab.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where this server keeps which counter. It moved them between 15 and 18, and asking the old place
 * would give errors or, worse, zeros; so the catalogue decides, not the version's number.
 *
 * <p>A query has one row of bigint columns; one more, {@code reset}, says in text since when they
 * count. Unless it says otherwise, a counter is of the whole server.
 */
final class Catalogue {

  /** Names of subjects. */
  static final String WAL = "wal";

  static final String WAL_SYNC = "walSync";
  static final String CHECKPOINTS = "checkpoints";
  static final String DATABASE = "database";
  static final String OTHERS = "others";
  static final String TABLES = "tables";
  static final String SIZE = "size";
  static final String LSN = "lsn";

  private static final String WAL_VOLUME =
      """
      SELECT wal_records AS records, wal_fpi AS "fullPages", wal_bytes::bigint AS bytes,
             stats_reset::text AS reset
      FROM pg_catalog.pg_stat_wal
      """;

  private static final String WAL_SYNC_UNTIL_17 =
      """
      SELECT wal_write AS writes, wal_sync AS syncs, stats_reset::text AS reset
      FROM pg_catalog.pg_stat_wal
      """;

  /** Making a new segment (context init) is left out, as it was from the older counters. */
  private static final String WAL_SYNC_FROM_18 =
      """
      SELECT sum(writes)::bigint AS writes, sum(fsyncs)::bigint AS syncs,
             sum(write_bytes)::bigint AS "writtenBytes", max(stats_reset)::text AS reset
      FROM pg_catalog.pg_stat_io WHERE object = 'wal' AND context = 'normal'
      """;

  private static final String CHECKPOINTS_UNTIL_16 =
      """
      SELECT checkpoints_timed AS timed, checkpoints_req AS requested, stats_reset::text AS reset
      FROM pg_catalog.pg_stat_bgwriter
      """;

  private static final String CHECKPOINTS_17 =
      """
      SELECT num_timed AS timed, num_requested AS requested, stats_reset::text AS reset
      FROM pg_catalog.pg_stat_checkpointer
      """;

  private static final String CHECKPOINTS_FROM_18 =
      """
      SELECT num_timed AS timed, num_requested AS requested, num_done AS done,
             stats_reset::text AS reset
      FROM pg_catalog.pg_stat_checkpointer
      """;

  private static final String THIS_DATABASE =
      """
      SELECT xact_commit AS commits, xact_rollback AS rollbacks, deadlocks, sessions,
             sessions_abandoned AS abandoned, sessions_fatal AS fatal, sessions_killed AS killed,
             stats_reset::text AS reset
      FROM pg_catalog.pg_stat_database WHERE datname = pg_catalog.current_database()
      """;

  /** The row without a name is of what all databases share. */
  private static final String OTHER_DATABASES =
      """
      SELECT coalesce(sum(xact_commit), 0)::bigint AS commits FROM pg_catalog.pg_stat_database
      WHERE datid <> 0 AND datname <> pg_catalog.current_database()
      """;

  private static final String TABLES_OF_SCHEMA =
      """
      SELECT coalesce(sum(n_tup_ins), 0)::bigint AS inserted,
             coalesce(sum(n_tup_upd), 0)::bigint AS updated,
             coalesce(sum(n_tup_hot_upd), 0)::bigint AS "hotUpdated",
             coalesce(sum(n_tup_del), 0)::bigint AS deleted,
             coalesce(sum(n_dead_tup), 0)::bigint AS dead,
             coalesce(sum(autovacuum_count), 0)::bigint AS autovacuums
      FROM pg_catalog.pg_stat_user_tables WHERE schemaname = ?
      """;

  private static final String DATABASE_SIZE =
      "SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS bytes";

  private static final String WAL_POSITION =
      "SELECT (pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS position";

  private static final String COLUMNS =
      """
      SELECT count(*) FILTER (WHERE attrelid::regclass::text IN (
                 'pg_stat_wal', 'pg_catalog.pg_stat_wal') AND attname = 'wal_sync') AS "oldSync",
             count(*) FILTER (WHERE attname = 'num_requested') AS checkpointer,
             count(*) FILTER (WHERE attname = 'num_done') AS "checkpointsDone"
      FROM pg_catalog.pg_attribute
      WHERE attrelid IN (pg_catalog.to_regclass('pg_catalog.pg_stat_wal'),
                         pg_catalog.to_regclass('pg_catalog.pg_stat_checkpointer'))
      """;

  private final Map<String, String> queries;

  private Catalogue(Map<String, String> queries) {
    this.queries = queries;
  }

  /** Of the server at the other end. */
  static Catalogue of(Connection connection) throws SQLException {
    Map<String, Object> has = Monitor.row(connection, COLUMNS);
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(DATABASE, THIS_DATABASE);
    queries.put(OTHERS, OTHER_DATABASES);
    queries.put(WAL, WAL_VOLUME);
    queries.put(WAL_SYNC, isThere(has, "oldSync") ? WAL_SYNC_UNTIL_17 : WAL_SYNC_FROM_18);
    queries.put(CHECKPOINTS, checkpoints(has));
    queries.put(SIZE, DATABASE_SIZE);
    queries.put(LSN, WAL_POSITION);
    return new Catalogue(queries);
  }

  private static String checkpoints(Map<String, Object> has) {
    if (isThere(has, "checkpointsDone")) {
      return CHECKPOINTS_FROM_18;
    }
    return isThere(has, "checkpointer") ? CHECKPOINTS_17 : CHECKPOINTS_UNTIL_16;
  }

  private static boolean isThere(Map<String, Object> has, String column) {
    Long count = Monitor.number(has, column);
    return count != null && count > 0;
  }

  /** Reads every subject; what the server refuses is absent, and a note says why. */
  void read(
      Connection connection,
      String schema,
      Map<String, Long> counters,
      Map<String, String> resets,
      List<String> notes)
      throws SQLException {
    for (Map.Entry<String, String> each : queries.entrySet()) {
      take(
          each.getKey(),
          Monitor.rowIfAllowed(connection, each.getKey(), notes, each.getValue()),
          counters,
          resets);
    }
    take(
        TABLES,
        Monitor.rowIfAllowed(connection, TABLES, notes, TABLES_OF_SCHEMA, schema),
        counters,
        resets);
  }

  private static void take(
      String subject,
      Map<String, Object> row,
      Map<String, Long> counters,
      Map<String, String> resets) {
    for (Map.Entry<String, Object> column : row.entrySet()) {
      if (column.getValue() instanceof Number number) {
        counters.put(subject + "." + column.getKey(), number.longValue());
      } else {
        resets.put(subject, column.getValue().toString());
      }
    }
  }
}
