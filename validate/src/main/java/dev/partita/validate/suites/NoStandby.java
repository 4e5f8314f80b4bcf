package dev.partita.validate.suites;

import dev.partita.validate.Database;
import dev.partita.validate.Run;
import dev.partita.validate.faults.OwnServer;
import dev.partita.validate.faults.Sessions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * All standbys are gone, and an administrator cancels the commits that wait for them: they are done
 * on this server only, and it says so in a warning. Until a standby is back nobody may be told that
 * anything is recorded, not even by a new connection that finds it stored.
 */
final class NoStandby implements Slowness {

  private static final String SETTING = "synchronous_standby_names";
  private static final String NOBODY = "nobody";
  private static final String PROBE = "partita-validate-probe";
  private static final String SILENT = "nothing is acknowledged while no standby confirms";

  private static final long PAUSE_MILLIS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration QUIET = Duration.ofMillis(500);

  private final Run run;
  private final DataSource probes;
  private final DataSource watchers;
  private final OwnServer server;
  private final Sessions sessions;

  NoStandby(Run run, Database database, OwnServer server, Sessions sessions) {
    this.run = run;
    this.probes = database.application(PROBE);
    this.watchers = database.application("partita-validate-faults");
    this.server = server;
    this.sessions = sessions;
  }

  @Override
  public String what() {
    return "all standbys are gone";
  }

  @Override
  public boolean holdsUp() {
    return true;
  }

  /** Sessions see the setting before the server has it in its shared memory: waits for both. */
  @Override
  public void begin() throws IOException, SQLException, InterruptedException {
    server.set(SETTING, NOBODY);
    try (Sessions waiting = new Sessions(watchers, PROBE, run.random("probes"))) {
      while (!commitWaits(waiting)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private boolean commitWaits(Sessions waiting) throws SQLException, InterruptedException {
    FutureTask<Boolean> probe = new FutureTask<>(this::commit);
    Thread.ofVirtual().name("probe").start(probe);
    while (!probe.isDone()) {
      if (waiting.cancelStandbyWaits() > 0) {
        return true;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return false;
  }

  private boolean commit() throws SQLException {
    try (Connection connection = probes.getConnection();
        Statement statement = connection.createStatement()) {
      return statement.execute("SELECT pg_logical_emit_message(true, 'probe', '')");
    }
  }

  @Override
  public void watch(Duration time, LongSupplier answered)
      throws SQLException, InterruptedException {
    long before = quiet(answered);
    long cancelled = 0;
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      cancelled += sessions.cancelStandbyWaits();
      Thread.sleep(PAUSE_MILLIS);
    }
    long after = quiet(answered);
    run.check(SILENT, before == after, (after - before) + " transfers were");
    run.fact("waits for a standby cancelled", cancelled);
    run.require("waits for a standby cancelled", cancelled, 1);
  }

  /** What was answered before the standbys went is still on its way to its callers. */
  private static long quiet(LongSupplier answered) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long last = answered.getAsLong();
    Thread.sleep(QUIET);
    for (long now = answered.getAsLong();
        now != last && System.nanoTime() - end < 0;
        now = answered.getAsLong()) {
      last = now;
      Thread.sleep(QUIET);
    }
    return last;
  }

  @Override
  public void end() throws IOException, SQLException, InterruptedException {
    server.reset(SETTING, NOBODY);
  }
}
