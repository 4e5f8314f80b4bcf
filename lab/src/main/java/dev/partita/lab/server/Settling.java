package dev.partita.lab.server;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until what was done is also counted: a session hands its counters over when it ends, and
 * one that stays open at the latest ten seconds after it became idle.
 */
final class Settling {

  private static final Duration COUNTERS_MAX = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration QUIET = Duration.ofMillis(100);

  /**
   * A session leaves this view after it has handed its counters over. Those of other roles are not
   * shown to us in full and not waited for.
   */
  private static final String SESSIONS =
      """
      SELECT count(*) FILTER (WHERE NOT (
               state = 'idle' AND state_change < clock_timestamp() - interval '10.5 seconds'))
             AS pending
      FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND backend_type = 'client backend'
        AND application_name <> '%s'
      """
          .formatted(Monitor.APPLICATION);

  private static final String COUNTERS =
      """
      SELECT d.xact_commit - ? AS commits, d.xact_rollback AS rollbacks,
             (SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)
              FROM pg_catalog.pg_stat_user_tables WHERE schemaname = ?) AS rows,
             (SELECT wal_records FROM pg_catalog.pg_stat_wal) AS records
      FROM pg_catalog.pg_stat_database d WHERE datname = pg_catalog.current_database()
      """;

  private Settling() {}

  /**
   * Returns when that is so, or when patience is at an end; then a note says what is missing.
   *
   * @param patience with sessions that go on or have only just become idle
   */
  static void await(Monitor monitor, String schema, Duration patience, List<String> notes)
      throws SQLException {
    awaitSessions(monitor, patience, notes);
    awaitCounters(monitor, schema, notes);
  }

  private static void awaitSessions(Monitor monitor, Duration patience, List<String> notes)
      throws SQLException {
    long start = System.nanoTime();
    while (true) {
      Long pending = Monitor.number(monitor.ask(open -> Monitor.row(open, SESSIONS)), "pending");
      if (pending == null || pending == 0) {
        return;
      }
      if (isOver(start, patience)) {
        notes.add(
            pending
                + " sessions had not been idle for long enough: what they did last may be counted late");
        return;
      }
      pause(PAUSE);
    }
  }

  private static void awaitCounters(Monitor monitor, String schema, List<String> notes)
      throws SQLException {
    long start = System.nanoTime();
    Map<String, Object> last = counters(monitor, schema);
    while (true) {
      pause(QUIET);
      Map<String, Object> now = counters(monitor, schema);
      if (now.equals(last)) {
        return;
      }
      if (isOver(start, COUNTERS_MAX)) {
        notes.add("the counters had not come to rest: somebody else is at work");
        return;
      }
      last = now;
    }
  }

  private static Map<String, Object> counters(Monitor monitor, String schema) throws SQLException {
    return monitor.ask(
        open -> {
          String sql = COUNTERS.replaceFirst("[?]", Long.toString(monitor.transactions()));
          return Monitor.row(open, sql, schema);
        });
  }

  private static boolean isOver(long start, Duration max) {
    return System.nanoTime() - start > max.toNanos();
  }

  private static void pause(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }
}
