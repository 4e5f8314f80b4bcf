package dev.partita.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;

/** Answers {@code /metrics}. */
public final class MetricsRoute {

  private static final String OPEN_METRICS = "application/openmetrics-text";

  private MetricsRoute() {}

  /** The route to these meters, answered also while the server is busy. */
  public static Route of(Meters meters) {
    return Route.get("/metrics", call -> scrape(meters, call))
        .access(Access.READ)
        .produces("text/plain")
        .always();
  }

  private static Response scrape(Meters meters, Call call) {
    boolean open =
        call.request().headers().apply("Accept").stream()
            .anyMatch(accepted -> accepted.contains(OPEN_METRICS));
    String type = open ? Meters.OPEN_METRICS : Meters.TEXT;
    byte[] text = meters.scrape(type).getBytes(UTF_8);
    return Response.of(200, type, out -> out.write(text));
  }
}
