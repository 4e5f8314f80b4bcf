package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.Asset;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.server.http.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server takes on, and how it stops. */
class LimitsTest {

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  /** Answers only when released. */
  private final Ledger slow =
      StubLedger.answering(
          (proxy, method, arguments) -> {
            asked.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              interrupted.countDown();
              throw new IllegalStateException(e);
            }
            return List.of(Asset.iso("EUR"));
          });

  @Test
  void takesNoMoreRequestsThanItMay() throws InterruptedException {
    Limits one = new Limits(1_000, 4_096, 1, 100, Duration.ofSeconds(20), 10_000);
    try (TestServer server = TestServer.over(slow, TestServer.CONFIG.limits(one))) {
      CompletableFuture<Answer> first =
          CompletableFuture.supplyAsync(() -> server.get("/v1/assets"));
      asked.await();
      Answer refused = server.get("/v1/assets").problem(429, "too_many_requests");
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.text("/reason")).isEqualTo("QUEUE_FULL");
      assertThat(refused.text("/outcome")).isEqualTo("NOT_POSTED");
      server.get("/health/live").ok(200);

      released.countDown();
      first.join().ok(200);
      server.get("/v1/assets").ok(200);
    }
  }

  @Test
  void finishesWhatIsUnderWayBeforeItStops() throws InterruptedException {
    TestServer server = TestServer.over(slow);
    CompletableFuture<Answer> underWay =
        CompletableFuture.supplyAsync(() -> server.get("/v1/assets"));
    asked.await();
    CompletableFuture<Void> stopped = CompletableFuture.runAsync(server.server::close);
    Answer late = awaitStopping(server);
    assertThat(late.text("/reason")).isEqualTo("CLOSED");
    assertThat(late.text("/outcome")).isEqualTo("NOT_POSTED");
    assertThat(late.header("Connection")).isEqualTo("close");
    assertThat(server.get("/health/ready").problem(503, "not_ready").text("/cause"))
        .isEqualTo("stopping");
    server.get("/health/live").ok(200);
    assertThat(stopped).isNotDone();

    released.countDown();
    underWay.join().ok(200);
    stopped.join();
    assertThatThrownBy(() -> server.get("/v1/info")).hasMessageContaining("no answer");
    server.close();
  }

  @Test
  void interruptsWhatTakesTooLongToStop() throws InterruptedException {
    TestServer server =
        TestServer.over(slow, TestServer.CONFIG.stopPatience(Duration.ofMillis(50)));
    CompletableFuture<Answer> underWay =
        CompletableFuture.supplyAsync(() -> server.get("/v1/assets"));
    asked.await();
    server.server.close();
    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(underWay.handle((answer, failure) -> true).join()).isTrue();
    server.close();
  }

  @Test
  void saysThatAPortIsTaken() {
    try (TestServer server = TestServer.overMemory()) {
      ServerConfig taken = TestServer.CONFIG.port(server.server.uri().getPort());
      assertThatThrownBy(() -> PartitaServer.start(slow, taken))
          .isInstanceOf(MisuseException.class)
          .hasMessageContaining("port " + taken.port());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65_536})
  void refusesPortsThatThereAreNot(int port) {
    assertThatThrownBy(() -> ServerConfig.DEFAULT.port(port)).isInstanceOf(MisuseException.class);
  }

  private static Answer awaitStopping(TestServer server) {
    Answer answer = server.get("/v1/info");
    while (answer.status() == 200) {
      LockSupport.parkNanos(1_000_000);
      answer = server.get("/v1/info");
    }
    return answer.problem(503, "unavailable");
  }
}
