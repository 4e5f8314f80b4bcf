package dev.partita.cli.watch;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.partita.postgres.PostgresLedger;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.metrics.Meters;

/** Has a ledger in PostgreSQL measured and looked after. */
public final class Watch {

  private Watch() {}

  /**
   * Registers all that is measured.
   *
   * @return what asks whether it can do its work
   */
  public static HealthProbe start(
      Meters meters, PostgresLedger ledger, LateListener listener, HikariDataSource pool) {
    listener.tell(new EngineMeters(meters, ledger::engineState));
    DatabaseGauges.register(meters, ledger::databaseReading);
    pool(meters, pool);
    return new PostgresProbe(ledger::databaseCondition, ledger::engineState);
  }

  private static void pool(Meters meters, HikariDataSource pool) {
    HikariPoolMXBean state = pool.getHikariPoolMXBean();
    String connections = "Connections of the pool, by their state; a lane keeps one";
    meters.gauge(
        "partita_pool_connections", connections, state::getActiveConnections, "state", "active");
    meters.gauge(
        "partita_pool_connections", connections, state::getIdleConnections, "state", "idle");
    meters.gauge(
        "partita_pool_connections_max", "Most connections of the pool", pool::getMaximumPoolSize);
    meters.gauge(
        "partita_pool_waiting",
        "Threads that wait for a connection",
        state::getThreadsAwaitingConnection);
  }
}
