package dev.partita.server;

import dev.partita.Ledger;
import dev.partita.server.api.LedgerApi;
import dev.partita.server.health.Health;
import dev.partita.server.helidon.HelidonTransport;
import dev.partita.server.http.Admission;
import dev.partita.server.http.Hosts;
import dev.partita.server.http.HttpApi;
import dev.partita.server.http.Limits;
import dev.partita.server.http.RequestObserver;
import dev.partita.server.http.Route;
import dev.partita.server.http.Router;
import dev.partita.server.metrics.HttpMeters;
import dev.partita.server.metrics.MetricsRoute;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A running HTTP server over a ledger. Each request is worked on by a virtual thread of its own,
 * which calls the ledger and waits for it. Safe for use by any number of threads.
 *
 * <pre>{@code
 * try (Ledger ledger = …;
 *     PartitaServer server = PartitaServer.start(ledger, ServerConfig.DEFAULT)) {
 *   System.out.println("listening on " + server.uri());
 *   …
 * }
 * }</pre>
 */
public final class PartitaServer implements AutoCloseable {

  private static final String VERSION =
      Objects.requireNonNullElse(
          PartitaServer.class.getPackage().getImplementationVersion(), "development");

  private final ServerConfig config;
  private final Admission admission;
  private final LedgerApi api;
  private final ServerOperations operations;
  private final HelidonTransport transport;
  private boolean closed;

  private PartitaServer(Ledger ledger, ServerConfig config, ServerOperations operations) {
    Limits limits = config.limits();
    this.config = config;
    this.operations = operations;
    admission = new Admission(limits.requestsMax());
    api =
        new LedgerApi(
            ledger,
            VERSION,
            new Health(operations.health(), admission::isStopping),
            limits.bodyBytesMax());
    List<Route> routes = new ArrayList<>(api.routes());
    routes.add(MetricsRoute.of(operations.meters()));
    operations.meters().build(VERSION);
    HttpApi handler =
        new HttpApi(
            new Router(routes),
            admission,
            Hosts.loopback(config.address()),
            RequestObserver.both(new HttpMeters(operations.meters()), operations.log()));
    transport = HelidonTransport.start(config.address(), config.port(), limits, handler);
  }

  /**
   * Starts a server over a ledger; when this returns it answers.
   *
   * @param ledger stays the caller's: close it after the server
   * @throws dev.partita.MisuseException if it cannot listen there
   */
  public static PartitaServer start(Ledger ledger, ServerConfig config) {
    return start(ledger, config, ServerOperations.of(ledger));
  }

  /**
   * As {@link #start(Ledger, ServerConfig)}, watched in another way.
   *
   * @param operations closed with the server, also if it does not start
   */
  public static PartitaServer start(
      Ledger ledger, ServerConfig config, ServerOperations operations) {
    try {
      return new PartitaServer(
          Objects.requireNonNull(ledger, "ledger"),
          Objects.requireNonNull(config, "config"),
          operations);
    } catch (RuntimeException e) {
      operations.close();
      throw e;
    }
  }

  /** Where it listens, such as {@code http://127.0.0.1:7070}. */
  public URI uri() {
    String host = config.address().getHostAddress();
    return URI.create(
        "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + transport.port());
  }

  /**
   * Stops in good order: takes up no further request ({@code /health/ready} and everything else
   * answers 503), waits for those under way as long as its patience lasts, then closes the
   * connections and interrupts what is still under way. Closing again does nothing.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    admission.stop(config.stopPatience());
    api.close();
    transport.close();
    operations.close();
  }
}
