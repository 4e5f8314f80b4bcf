package dev.partita.server;

import dev.partita.Ledger;
import dev.partita.server.api.LedgerApi;
import dev.partita.server.auth.ApiKeys;
import dev.partita.server.auth.KeyRing;
import dev.partita.server.health.Health;
import dev.partita.server.helidon.HelidonTransport;
import dev.partita.server.http.Admission;
import dev.partita.server.http.Authentication;
import dev.partita.server.http.Hosts;
import dev.partita.server.http.HttpApi;
import dev.partita.server.http.Limits;
import dev.partita.server.http.RequestObserver;
import dev.partita.server.http.Route;
import dev.partita.server.http.Router;
import dev.partita.server.http.SecurityHeaders;
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
    config.security().requireEnoughFor(config.address());
    Authentication authentication = authentication(config.security());
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
    Security security = config.security();
    HttpApi handler =
        new HttpApi(
            new Router(routes),
            admission,
            hosts(config),
            authentication,
            new SecurityHeaders(security.tls() != null),
            limits.pageItemsMax(),
            RequestObserver.both(new HttpMeters(operations.meters()), operations.log()));
    transport =
        HelidonTransport.start(config.address(), config.port(), limits, security.tls(), handler);
  }

  /** Where keys are needed a page of another site gets nowhere, whatever name it has. */
  private static Hosts hosts(ServerConfig config) {
    Security security = config.security();
    if (!security.hosts().isEmpty()) {
      return Hosts.only(security.hosts());
    }
    return security.keys() == null ? Hosts.of(config.address()) : Hosts.any();
  }

  private static Authentication authentication(Security security) {
    ApiKeys keys = security.keys();
    return keys == null ? Authentication.none() : Authentication.by(new KeyRing(keys));
  }

  /**
   * Starts a server over a ledger; when this returns it answers.
   *
   * @param ledger stays the caller's: close it after the server
   * @throws dev.partita.MisuseException if it cannot listen there, or may not without more
   *     protection
   * @throws dev.partita.UnavailableException if its API keys cannot be read
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
        (config.security().tls() == null ? "http://" : "https://")
            + (host.indexOf(':') < 0 ? host : "[" + host + "]")
            + ":"
            + transport.port());
  }

  /**
   * Stops in good order: takes up no further request ({@code /health/ready} and everything else
   * answers 503), ends the streams of the change feed, waits for the requests under way as long as
   * its patience lasts, then closes the connections and interrupts what is still under way. Closing
   * again does nothing.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    api.closeStreams();
    admission.stop(config.stopPatience());
    api.close();
    transport.close();
    operations.close();
  }
}
