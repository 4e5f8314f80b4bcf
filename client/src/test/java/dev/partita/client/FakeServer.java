package dev.partita.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that answers request after request as a test says, and remembers what it was asked. */
final class FakeServer implements AutoCloseable {

  /** What to do with one request. */
  interface Behaviour {
    void answer(HttpExchange exchange) throws IOException;
  }

  /** A request as it came. */
  record Received(String method, String target, Headers headers, String body) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Behaviour> script = new ConcurrentLinkedQueue<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  FakeServer() {
    this(0);
  }

  FakeServer(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Received> received() {
    return received;
  }

  FakeServer then(Behaviour behaviour) {
    script.add(behaviour);
    return this;
  }

  FakeServer thenJson(String body) {
    return then(exchange -> send(exchange, 200, "application/json", body));
  }

  FakeServer thenProblem(int status, String fields) {
    String body =
        "{\"type\":\"about:blank\",\"title\":\"t\",\"status\":" + status + "," + fields + "}";
    return then(exchange -> send(exchange, status, "application/problem+json", body));
  }

  /** The connection ends without an answer. */
  FakeServer thenCut() {
    return then(HttpExchange::close);
  }

  /** There is no answer until the server is closed. */
  FakeServer thenSilence() {
    return then(exchange -> awaitEnd());
  }

  void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    received.add(
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders(),
            new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    Behaviour behaviour = script.poll();
    if (behaviour == null) {
      send(exchange, 599, "text/plain", "the script has ended");
      return;
    }
    behaviour.answer(exchange);
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.close();
  }
}
