package dev.partita.server.helidon;

import dev.partita.MisuseException;
import dev.partita.server.http.HttpHandler;
import dev.partita.server.http.Limits;
import dev.partita.server.http.SecurityHeaders;
import dev.partita.server.tls.ServerTls;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Listens for HTTP/1.1 and hands every request to a handler. */
public final class HelidonTransport implements AutoCloseable {

  // What was under way had its time before close; this is for writing last bytes.
  private static final Duration GRACE = Duration.ofMillis(500);

  private final WebServer server;

  private final BodyWatch watch;
  private final int port;

  private HelidonTransport(WebServer server, BodyWatch watch) {
    this.server = server;
    this.watch = watch;
    this.port = server.port();
  }

  /**
   * Begins to listen.
   *
   * @param port 0 for any that is free
   * @param tls to speak HTTPS with; null for plain HTTP
   * @throws MisuseException if it cannot listen there
   */
  public static HelidonTransport start(
      InetAddress address, int port, Limits limits, @Nullable ServerTls tls, HttpHandler handler) {
    BodyWatch watch = new BodyWatch(limits.idleTimeout());
    WebServerConfig.Builder builder = WebServer.builder();
    if (tls != null) {
      builder.tls(
          Tls.builder().sslContext(tls.context()).enabledProtocols(ServerTls.PROTOCOLS).build());
    }
    WebServer server =
        builder
            // Stopping is the caller's business, and nothing on the class path decides how we
            // serve.
            .shutdownHook(false)
            .featuresDiscoverServices(false)
            .protocolsDiscoverServices(false)
            .concurrencyLimitDiscoverServices(false)
            .address(address)
            .port(port)
            .maxPayloadSize(limits.bodyBytesMax())
            .maxTcpConnections(limits.connectionsMax())
            .idleConnectionTimeout(limits.idleTimeout())
            .idleConnectionPeriod(limits.idleTimeout())
            .connectionOptions(options -> options.tcpNoDelay(true))
            .errorHandling(errors -> errors.includeEntity(true))
            .shutdownGracePeriod(GRACE)
            .addProtocol(
                Http1Config.builder()
                    .maxHeadersSize(limits.headerBytesMax())
                    .maxPrologueLength(limits.headerBytesMax())
                    .build())
            .directHandlers(unreadable(new SecurityHeaders(tls != null)))
            .routing(routing -> routing.any(new Adapter(handler, watch)))
            .build();
    server.start();
    if (!server.isRunning()) {
      throw new MisuseException(
          "port",
          "cannot listen on "
              + address.getHostAddress()
              + " port "
              + port
              + "; the log says why. Choose another port, or stop what listens there");
    }
    watch.start();
    return new HelidonTransport(server, watch);
  }

  private static DirectHandlers unreadable(SecurityHeaders headers) {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      handlers.addHandler(type, new UnreadableRequests(headers));
    }
    return handlers.build();
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** Closes all connections and interrupts what is still under way. */
  @Override
  public void close() {
    watch.close();
    server.stop();
  }
}
