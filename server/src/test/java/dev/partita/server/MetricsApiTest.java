package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Asset;
import dev.partita.Ledger;
import dev.partita.server.http.Limits;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests as /metrics counts them. */
@Timeout(60)
class MetricsApiTest extends ApiTest {

  @Test
  void countsRequestsByRouteMethodAndStatus() {
    givenAccounts();
    for (int i = 1; i <= 10; i++) {
      post("/v1/transfers", direct(i, "1.00")).ok(201);
    }
    for (int i = 1; i <= 3; i++) {
      post("/v1/transfers", direct(i, "1.00")).ok(200);
    }
    for (int i = 1; i <= 2; i++) {
      post("/v1/transfers", direct(i, "2.00")).problem(422, "refused");
    }
    get("/v1/accounts/wallet").ok(200);
    get("/v1/accounts/bank").ok(200);
    get("/v1/accounts/nobody").problem(404, "account_not_found");
    String count = "partita_http_requests_seconds_count";
    String text = scrapeUntil(page -> page.contains("route=\"/v1/accounts/{id}\",status=\"404\""));
    assertThat(text.lines())
        .contains(
            count + "{method=\"POST\",route=\"/v1/transfers\",status=\"201\"} 10",
            count + "{method=\"POST\",route=\"/v1/transfers\",status=\"200\"} 3",
            count + "{method=\"POST\",route=\"/v1/transfers\",status=\"422\"} 2",
            count + "{method=\"GET\",route=\"/v1/accounts/{id}\",status=\"200\"} 2",
            count + "{method=\"GET\",route=\"/v1/accounts/{id}\",status=\"404\"} 1",
            "partita_http_requests_in_flight 1.0"); // The scrape itself.
    assertThat(text)
        .contains("partita_http_requests_seconds_bucket{", "jvm_memory_used_bytes{")
        .contains("partita_build_info{")
        .doesNotContain("wallet", "nobody");
  }

  /** Whatever clients send, labels are only what the server knows. */
  @Test
  void hasNoLabelThatAClientCanMakeUp() {
    for (int i = 0; i < 20; i++) {
      get("/v1/made-up-" + i);
      server.send(
          HttpRequest.newBuilder(server.uri("/v1/assets"))
              .method("INVENT" + (char) ('A' + i), BodyPublishers.noBody()));
      get("/v1/accounts/made-up-" + i);
    }
    String text = scrapeUntil(page -> page.contains("method=\"other\""));
    assertThat(text).doesNotContain("made-up", "INVENT");
    assertThat(text.lines().filter(line -> line.startsWith("partita_http_requests_seconds_count")))
        .hasSizeLessThanOrEqualTo(5);
    assertThat(text.lines())
        .contains(
            "partita_http_requests_seconds_count{method=\"GET\",route=\"none\",status=\"404\"} 20");
  }

  @Test
  void countsWhatWasNotLetIn() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Ledger slow =
        StubLedger.answering(
            (proxy, method, arguments) -> {
              asked.countDown();
              released.await();
              return List.of(Asset.iso("EUR"));
            });
    Limits one = new Limits(1_000, 4_096, 1, 100, Duration.ofSeconds(20), 10_000);
    try (TestServer busy = TestServer.over(slow, TestServer.CONFIG.limits(one))) {
      CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> busy.get("/v1/assets"));
      asked.await();
      busy.get("/v1/assets").problem(429, "too_many_requests");
      busy.get("/v1/assets").problem(429, "too_many_requests");
      assertThat(
              scrapeUntil(
                      busy, page -> page.contains("partita_http_rejected_total{reason=\"busy\"} 2"))
                  .lines())
          .contains(
              "partita_http_requests_in_flight 2.0",
              "partita_http_rejected_total{reason=\"stopping\"} 0.0");
      released.countDown();
      first.join().ok(200);
    }
  }

  @Test
  void speaksOpenMetricsToWhoAsksForIt() {
    Answer plain = get("/metrics");
    assertThat(plain.header("Content-Type")).startsWith("text/plain; version=0.0.4");
    assertThat(plain.body()).doesNotContain("# EOF");
    Answer open =
        server.send(
            HttpRequest.newBuilder(server.uri("/metrics"))
                .header(
                    "Accept",
                    "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.5,*/*;q=0.1"));
    assertThat(open.header("Content-Type")).startsWith("application/openmetrics-text");
    assertThat(open.body()).endsWith("# EOF\n");
  }

  private String scrapeUntil(Predicate<String> there) {
    return scrapeUntil(server, there);
  }

  /** A request is counted right after its answer was sent, so the next one may come before. */
  private static String scrapeUntil(TestServer server, Predicate<String> there) {
    String text = server.get("/metrics").body();
    while (!there.test(text)) {
      LockSupport.parkNanos(1_000_000);
      text = server.get("/metrics").body();
    }
    return text;
  }
}
