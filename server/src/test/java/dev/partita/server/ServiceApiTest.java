package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceApiTest extends ApiTest {

  @Test
  void saysWhatItIs() {
    Answer info = get("/v1/info").ok(200);
    assertThat(info.text("/name")).isEqualTo("partita");
    assertThat(info.text("/api")).isEqualTo("v1");
    assertThat(info.text("/version")).isNotBlank();
  }

  @Test
  void isAliveAndReady() {
    assertThat(get("/health/live").ok(200).text("/status")).isEqualTo("UP");
    assertThat(get("/health/ready").ok(200).text("/status")).isEqualTo("UP");
  }

  @Test
  void isAliveButNotReadyWithoutItsLedger() {
    UnavailableException failure =
        new UnavailableException(
            Reason.DATABASE_UNAVAILABLE, Outcome.NOT_POSTED, "db.internal is gone", null);
    try (TestServer lost = TestServer.over(StubLedger.failing(failure))) {
      lost.get("/health/live").ok(200);
      Answer ready = lost.get("/health/ready").problem(503, "not_ready");
      assertThat(ready.text("/cause")).isEqualTo("ledger_unavailable");
      assertThat(ready.body()).doesNotContain("db.internal");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/info", "/v1/nowhere", "/openapi.yaml", "/v1/transfers"})
  void guardsEveryResponse(String address) {
    Answer answer = get(address);
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(answer.headers().firstValue("Server")).isEmpty();
  }

  @Test
  void namesEveryRequest() {
    assertThat(get("/v1/info").header("X-Request-Id"))
        .isNotEqualTo(get("/v1/info").header("X-Request-Id"));
    assertThat(withId("order-7.retry_2").header("X-Request-Id")).isEqualTo("order-7.retry_2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"b", "<script>"})
  void takesNoNameThatIsNotFitForALog(String name) {
    assertThat(withId(name).header("X-Request-Id")).matches("[0-9a-f-]{36}");
  }

  @Test
  void takesNoNameThatIsTooLong() {
    assertThat(withId("a".repeat(64)).header("X-Request-Id")).hasSize(64).startsWith("aa");
    assertThat(withId("a".repeat(65)).header("X-Request-Id")).hasSize(36);
  }

  @Test
  void answersHeadAsGetWithoutBody() {
    Answer get = get("/v1/assets");
    Answer head =
        server.send(
            HttpRequest.newBuilder(server.uri("/v1/assets"))
                .method("HEAD", BodyPublishers.noBody()));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.header("Content-Type")).isEqualTo("application/json");
    assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
  }

  private Answer withId(String id) {
    return server.send(HttpRequest.newBuilder(server.uri("/v1/info")).header("X-Request-Id", id));
  }
}
