package dev.partita.server;

import dev.partita.Ledger;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** A server on a free port and a client that speaks plain HTTP to it. */
final class TestServer implements AutoCloseable {

  static final ServerConfig CONFIG =
      ServerConfig.DEFAULT.port(0).stopPatience(Duration.ofSeconds(5));

  // What fails here fails on purpose. Held, because the JDK forgets loggers that nobody holds.
  private static final List<Logger> QUIET =
      Stream.of("dev.partita.server", "io.helidon.webserver").map(Logger::getLogger).toList();

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  final ManualClock clock;
  final PartitaServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Ledger ledger;

  private TestServer(
      Ledger ledger, ManualClock clock, ServerConfig config, ServerOperations operations) {
    this.ledger = ledger;
    this.clock = clock;
    this.server = PartitaServer.start(ledger, config, operations);
  }

  /** Over an empty ledger. */
  static TestServer overMemory() {
    ManualClock clock = new ManualClock();
    Ledger ledger = new InMemoryLedger(clock);
    return new TestServer(ledger, clock, CONFIG, ServerOperations.of(ledger));
  }

  static TestServer over(Ledger ledger) {
    return over(ledger, CONFIG);
  }

  static TestServer over(Ledger ledger, ServerConfig config) {
    return new TestServer(ledger, new ManualClock(), config, ServerOperations.of(ledger));
  }

  /** Over an empty ledger, watched so. */
  static TestServer watched(ServerConfig config, ServerOperations operations) {
    ManualClock clock = new ManualClock();
    return new TestServer(new InMemoryLedger(clock), clock, config, operations);
  }

  URI uri(String address) {
    return URI.create(server.uri() + address);
  }

  Answer get(String address) {
    return send(HttpRequest.newBuilder(uri(address)));
  }

  Answer post(String address, String body) {
    return json("POST", address, body);
  }

  Answer patch(String address, String body) {
    return json("PATCH", address, body);
  }

  private Answer json(String method, String address, String body) {
    return send(
        HttpRequest.newBuilder(uri(address))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.headers(), response.body());
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
    ledger.close();
  }
}
