package dev.partita.server;

import dev.partita.Ledger;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.http.RequestObserver;
import dev.partita.server.log.AccessLog;
import dev.partita.server.metrics.Meters;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a server is watched. Belongs to one server, which closes it when it is closed itself.
 *
 * @param meters what {@code /metrics} shows
 * @param health what {@code /health} asks
 * @param accessLog where requests are logged; null: nowhere
 */
public record ServerOperations(Meters meters, HealthProbe health, @Nullable AccessLog accessLog) {

  /** Checks presence. */
  public ServerOperations {
    Objects.requireNonNull(meters, "meters");
    Objects.requireNonNull(health, "health");
  }

  /** For a ledger of which no more is known: its own answers are its health; no access log. */
  public static ServerOperations of(Ledger ledger) {
    return new ServerOperations(new Meters(), HealthProbe.of(ledger), null);
  }

  /** Sees the requests for the access log. */
  RequestObserver log() {
    AccessLog log = accessLog;
    if (log == null) {
      return RequestObserver.NONE;
    }
    meters.counted(
        "partita_access_log_dropped_lines",
        "Lines of the access log that were dropped, its reader being too slow",
        log::dropped);
    return log;
  }

  void close() {
    if (accessLog != null) {
      accessLog.close();
    }
    meters.close();
  }
}
