package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.server.health.HealthProbe;
import dev.partita.server.log.AccessLog;
import dev.partita.server.log.AccessLog.Format;
import dev.partita.server.metrics.Meters;
import java.io.StringWriter;
import java.io.Writer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class AccessLogTest {

  private static final HealthProbe WELL = Optional::empty;

  private final StringWriter out = new StringWriter();

  private List<String> logged(Format format, String path) {
    try (TestServer server = server(AccessLog.start(format, out, 100))) {
      server.send(
          HttpRequest.newBuilder(server.uri(path))
              .header("X-Request-Id", "order-7")
              .header("Content-Type", "application/json")
              .header("Authorization", "Bearer secret-of-somebody")
              .POST(BodyPublishers.ofString("{\"private\":\"note\"}")));
    }
    return out.toString().lines().toList();
  }

  private static TestServer server(AccessLog log) {
    return TestServer.watched(TestServer.CONFIG, new ServerOperations(new Meters(), WELL, log));
  }

  @Test
  void writesAnObjectForEachRequest() {
    List<String> lines = logged(Format.JSON, "/v1/transfers?amounts=minor&reference=person");
    assertThat(lines).hasSize(1);
    JsonNode line = new JsonMapper().readTree(lines.getFirst());
    assertThat(line.path("time").stringValue()).endsWith("Z");
    assertThat(line.path("id").stringValue()).isEqualTo("order-7");
    assertThat(line.path("remote").stringValue()).isEqualTo("127.0.0.1");
    assertThat(line.path("method").stringValue()).isEqualTo("POST");
    assertThat(line.path("route").stringValue()).isEqualTo("/v1/transfers");
    assertThat(line.path("path").stringValue()).isEqualTo("/v1/transfers");
    assertThat(line.path("status").intValue()).isEqualTo(400);
    assertThat(line.path("problem").stringValue()).isNotBlank();
    assertThat(line.path("durationMicros").longValue()).isPositive();
    assertThat(line.path("bytesOut").intValue()).isPositive();
    assertThat(lines.getFirst()).doesNotContain("secret", "private", "note", "person", "minor");
  }

  @Test
  void countsTheBytesOfBothBodies() {
    String body = "{\"assets\":[{\"code\":\"EUR\"}]}";
    Answer answer;
    try (TestServer server = server(AccessLog.start(Format.JSON, out, 100))) {
      answer = server.post("/v1/assets", body).ok(200);
    }
    JsonNode line = new JsonMapper().readTree(out.toString());
    assertThat(line.path("bytesIn").intValue()).isEqualTo(body.length());
    assertThat(line.path("bytesOut").intValue()).isEqualTo(answer.body().length());
    assertThat(line.has("problem")).isFalse();
  }

  @Test
  void writesTextOnOneLine() {
    List<String> lines = logged(Format.TEXT, "/v1/a%0Ab%20c?reference=person");
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains(" 127.0.0.1 - POST /v1/a%0Ab%20c 404 not_found ")
        .contains(" route=- id=order-7")
        .doesNotContain("secret", "private", "person");
  }

  /** Who reads the log may stop reading; the requests go on, and what was lost is counted. */
  @Test
  void dropsLinesRatherThanWait() {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    Writer blocked =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) {
            stuck.countDown();
            while (released.getCount() > 0) {
              LockSupport.parkNanos(1_000_000); // Whether interrupted or not.
            }
            out.write(text, offset, length);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    AccessLog log = AccessLog.start(Format.TEXT, blocked, 2);
    try (TestServer server = server(log)) {
      server.get("/v1/info").ok(200);
      await(stuck); // One line is being written,
      for (int i = 0; i < 5; i++) {
        server.get("/v1/info").ok(200); // two wait, three find no room.
      }
      while (log.dropped() < 3) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(server.get("/metrics").body())
          .contains("partita_access_log_dropped_lines_total 3.0");
      released.countDown();
    }
    assertThat(out.toString().lines().count()).isEqualTo(7 - log.dropped());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
