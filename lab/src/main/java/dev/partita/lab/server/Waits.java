package dev.partita.lab.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again at what the database's sessions wait for. Looking costs: a query each time,
 * on the cores that the load is on as well, so figures taken beside it say so.
 *
 * <p>Samples on a thread of its own until it is stopped, by any thread.
 */
public final class Waits implements AutoCloseable {

  private static final String RUNNING = "running";
  private static final String IDLE = "idle";
  private static final String HIDDEN = "hidden";
  private static final double NANOS_PER_MICRO = 1_000;

  /** A session whose kind is null is of a role that we may not look at. */
  private static final String SAMPLE =
      """
      SELECT CASE WHEN backend_type IS NULL THEN '%s'
                  WHEN state = 'idle' THEN '%s'
                  WHEN wait_event IS NULL THEN '%s'
                  ELSE wait_event_type || ':' || wait_event END AS event, count(*) AS sessions
      FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND application_name <> '%s'
        AND coalesce(backend_type, 'client backend') IN ('client backend', 'parallel worker')
      GROUP BY 1
      """
          .formatted(HIDDEN, IDLE, RUNNING, Monitor.APPLICATION);

  private final Monitor monitor;
  private final Duration every;
  private final Thread thread = new Thread(this::sampleUntilStopped, "partita-lab-waits");
  private volatile boolean stopped;

  // Of the sampling thread until it has ended.
  private final Map<String, Long> seen = new TreeMap<>();
  private long samples;
  private long sampleNanos;
  private @Nullable String failure;

  private Waits(Monitor monitor, Duration every) {
    this.monitor = monitor;
    this.every = every;
  }

  /** The monitor belongs to this until it is stopped. */
  static Waits start(Monitor monitor, Duration every) {
    Waits waits = new Waits(monitor, every);
    waits.thread.setDaemon(true);
    waits.thread.start();
    return waits;
  }

  private void sampleUntilStopped() {
    long due = System.nanoTime();
    try {
      do {
        long start = System.nanoTime();
        monitor.askOften(this::sample);
        sampleNanos += System.nanoTime() - start;
        samples++;
        due += every.toNanos();
        // Late ones are left out: looking harder after a stall would make it worse.
        due = Math.max(due, System.nanoTime());
        while (!stopped && due - System.nanoTime() > 0) {
          LockSupport.parkNanos(this, due - System.nanoTime());
        }
      } while (!stopped);
      // Hands over what looking counted as.
      monitor.ask(Connection::getAutoCommit);
    } catch (SQLException e) {
      failure = "waits not sampled to the end: " + Monitor.reason(e);
    }
  }

  private boolean sample(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet rows = statement.executeQuery(SAMPLE)) {
      while (rows.next()) {
        seen.merge(rows.getString("event"), rows.getLong("sessions"), Long::sum);
      }
    }
    return true;
  }

  /** Stops sampling, after one sample at least, and says what was seen; later calls again. */
  public WaitShares stop() {
    close();
    Map<String, Long> active = new TreeMap<>(seen);
    long idle = take(active, IDLE);
    long hidden = take(active, HIDDEN);
    long all = active.values().stream().mapToLong(Long::longValue).sum();
    List<WaitShares.Share> shares = new ArrayList<>();
    active.forEach(
        (event, count) -> shares.add(new WaitShares.Share(event, count, (double) count / all)));
    shares.sort(Comparator.comparingLong(WaitShares.Share::seen).reversed());
    return new WaitShares(
        samples,
        every.toMillis(),
        samples == 0 ? null : (Double) (sampleNanos / NANOS_PER_MICRO / samples),
        mean(all),
        mean(idle),
        shares,
        notes(hidden));
  }

  private List<String> notes(long hidden) {
    List<String> notes = new ArrayList<>();
    notes.add("sampling puts load on the server: one query each time");
    if (hidden > 0) {
      notes.add(
          "sessions of other roles, " + hidden + " times seen, do not show us what they wait for");
    }
    if (failure != null) {
      notes.add(failure);
    }
    return notes;
  }

  private static long take(Map<String, Long> from, String event) {
    Long count = from.remove(event);
    return count == null ? 0 : count;
  }

  private @Nullable Double mean(long sessions) {
    return samples == 0 ? null : (Double) ((double) sessions / samples);
  }

  /** Stops sampling. An interrupt does not cut it short and stays set. */
  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
