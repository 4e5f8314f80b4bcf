package dev.partita.server.metrics;

import dev.partita.server.http.Observation;
import dev.partita.server.http.RequestObserver;
import dev.partita.server.metrics.Meters.Count;
import dev.partita.server.metrics.Meters.Times;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests. Labels are what the server knows, never what a client sent: the templates of its
 * routes, methods it has heard of, statuses it gives.
 */
public final class HttpMeters implements RequestObserver {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final Meters meters;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Map<Kind, Times> times = new ConcurrentHashMap<>();
  private final Count busy;
  private final Count stopping;

  private record Kind(String route, String method, int status) {}

  /** Counts on these meters. */
  public HttpMeters(Meters meters) {
    this.meters = meters;
    meters.gauge("partita_http_requests_in_flight", "Requests being worked on", inFlight::get);
    busy = rejection("busy");
    stopping = rejection("stopping");
  }

  private Count rejection(String reason) {
    return meters.counter(
        "partita_http_rejected",
        "Requests that were not let in: too many at once, or the server is stopping",
        "reason",
        reason);
  }

  @Override
  public void began() {
    inFlight.incrementAndGet();
  }

  @Override
  public void ended(Observation request) {
    inFlight.decrementAndGet();
    switch (request.rejection()) {
      case NONE -> {}
      case BUSY -> busy.add(1);
      case STOPPING -> stopping.add(1);
    }
    Kind kind =
        new Kind(
            Objects.requireNonNullElse(request.route(), "none"),
            METHODS.contains(request.method()) ? request.method() : "other",
            request.status());
    times.computeIfAbsent(kind, this::times).note(request.tookNanos());
  }

  private Times times(Kind kind) {
    return meters.times(
        "partita_http_requests",
        "Requests from when their header was read until their answer was written",
        "route",
        kind.route(),
        "method",
        kind.method(),
        "status",
        Integer.toString(kind.status()));
  }
}
