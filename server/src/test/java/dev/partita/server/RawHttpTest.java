package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.memory.InMemoryLedger;
import dev.partita.server.http.Limits;
import dev.partita.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only a broken or hostile client sends. Whatever comes, the server goes on serving. */
class RawHttpTest {

  private static final Limits SMALL =
      new Limits(10_000, 4_096, 100, 100, Duration.ofMillis(300), 10_000);
  private static final String GET = "GET /v1/info HTTP/1.1\r\nHost: localhost\r\n";
  private static final String POST =
      "POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.over(new InMemoryLedger(new ManualClock()), TestServer.CONFIG.limits(SMALL));
  }

  @AfterEach
  void stop() {
    server.get("/v1/info").ok(200);
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/accounts/%,malformed_request",
    "/v1/accounts/%4,malformed_request",
    "/v1/accounts/%zz,malformed_request",
    "/v1/accounts/%FF,malformed_request",
    "/v1/accounts/%C0%AF,malformed_request",
    "/v1/accounts?prefix=%,malformed_request",
    "/v1/accounts?prefix=%FF,malformed_request",
    "/v1/accounts?%zz=1,malformed_request",
    "/v1/acc\"ounts,malformed_request",
    "?limit=1,malformed_request",
    "*,malformed_request",
    "/v1/%00,not_found"
  })
  void refusesBadAddresses(String address, String code) {
    String answer = exchange(GET.replace("/v1/info", address) + "Connection: close\r\n\r\n");
    assertThat(answer).contains("application/problem+json").contains("\"" + code + "\"");
  }

  @ParameterizedTest
  @CsvSource({"evil.example", "evil.example:7070", "localhost.evil.example", "[::2]", "127.0.0.2"})
  void isNotSpokenToUnderAnotherName(String host) {
    String answer = exchange(GET.replace("localhost", host) + "Connection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 421 ").contains("misdirected_request");
  }

  @ParameterizedTest
  @CsvSource({"localhost", "LOCALHOST:80", "127.0.0.1:7070", "[::1]", "[::1]:7070"})
  void isSpokenToAsThisMachine(String host) {
    String answer = exchange(GET.replace("localhost", host) + "Connection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void refusesWhatIsNotHttp() {
    assertProblem(exchange("hello\r\n\r\n"), 400, "malformed_request");
  }

  @Test
  void refusesHeadersThatAreTooLong() {
    assertProblem(
        exchange(GET + "X-Long: " + "a".repeat(10_000) + "\r\n\r\n"), 431, "header_too_large");
  }

  @Test
  void refusesAddressesThatAreTooLong() {
    assertProblem(
        exchange(GET.replace("/v1/info", "/" + "a".repeat(10_000)) + "\r\n"),
        414,
        "address_too_long");
  }

  @Test
  void refusesABodyThatIsAnnouncedTooLong() {
    assertProblem(exchange(POST + "Content-Length: 10001\r\n\r\n"), 413, "too_large");
  }

  @Test
  void refusesABodyThatTurnsOutTooLong() {
    String chunk = "1000\r\n" + " ".repeat(0x1000) + "\r\n";
    assertProblem(
        exchange(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(4) + "0\r\n\r\n"),
        413,
        "too_large");
  }

  @Test
  void refusesABodyThatEndsEarly() {
    try (RawHttp raw = new RawHttp(server.server.uri())) {
      String answer = raw.send(POST + "Content-Length: 100\r\n\r\n{").endOfInput().readAll();
      assertProblem(answer, 400, "body_incomplete");
    }
  }

  @Test
  void cutsAConnectionOnWhichABodyStopsComing() {
    assertThat(exchange(POST + "Content-Length: 100\r\n\r\n{")).isEmpty();
  }

  @Test
  void closesAConnectionThatSaysNothing() {
    assertThat(exchange("")).isEmpty();
  }

  @Test
  void refusesTwoLengths() {
    String answer =
        exchange(POST + "Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assertProblem(answer, 400, "malformed_request");
  }

  @Test
  void refusesCompressedBodies() {
    String answer = exchange(POST + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc");
    assertThat(answer).startsWith("HTTP/1.1 4").contains("application/problem+json");
  }

  @Test
  void readsABodyOfChunks() {
    String body = "{\"assets\":[{\"code\":\"EUR\"}]}";
    StringBuilder chunks = new StringBuilder();
    body.chars().forEach(c -> chunks.append("1\r\n").append((char) c).append("\r\n"));
    String answer =
        exchange(
            POST
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + chunks
                + "0\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200 ").contains("CREATED");
  }

  @Test
  void asksForABodyThatWaitsToBeAskedFor() {
    String body = "{\"assets\":[{\"code\":\"EUR\"}]}";
    try (RawHttp raw = new RawHttp(server.server.uri())) {
      raw.send(
          POST
              + "Expect: 100-continue\r\nConnection: close\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      assertThat(raw.send(body).readAll()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void goesOnAfterAProblemOnTheSameConnection() {
    String bad = POST + "Content-Length: 2\r\n\r\n[]";
    String good = GET + "Connection: close\r\n\r\n";
    String answers = exchange(bad + good);
    assertThat(answers).startsWith("HTTP/1.1 400 ").contains("HTTP/1.1 200 OK");
  }

  private String exchange(String text) {
    try (RawHttp raw = new RawHttp(server.server.uri())) {
      return raw.send(text).readAll();
    }
  }

  private static void assertProblem(String answer, int status, String code) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsIgnoringCase("Content-Type: application/problem+json")
        .containsIgnoringCase("X-Content-Type-Options: nosniff")
        .contains("\"code\":\"" + code + "\"")
        .contains("\"requestId\":\"");
  }
}
