package dev.partita.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client does when the connection fails or nothing comes. */
class RetryTest extends ClientFixture {

  @Test
  void postsAgainUnderTheSameIdWhenTheConnectionBreaks() {
    server.thenCut().thenCut().thenJson(REFUSED);

    assertThat(client.post(POST).transfers().getFirst().status())
        .isEqualTo(TransferStatus.INSUFFICIENT_FUNDS);

    assertThat(server.received()).hasSize(3);
    assertThat(server.received().stream().map(FakeServer.Received::body).distinct())
        .singleElement()
        .asString()
        .contains(ID.toString());
  }

  @Test
  void anAnswerThatBreaksOffIsAskedForAgain() {
    server
        .then(
            exchange -> {
              exchange.getResponseHeaders().add("Content-Type", "application/json");
              exchange.sendResponseHeaders(200, 1_000);
              exchange.getResponseBody().write("{\"assets\":[".getBytes(UTF_8));
              exchange.getResponseBody().flush();
              exchange.close();
            })
        .thenJson("{\"assets\":[]}");

    assertThat(client.assets()).isEmpty();
  }

  @Test
  void aPostThatMayHaveArrivedEndsUnknown() {
    for (int i = 0; i < 100; i++) {
      server.thenCut();
    }
    try (PartitaClient impatient = client(LONG, Duration.ofSeconds(2))) {
      UnavailableException failure = unavailable(() -> impatient.post(POST));

      assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT);
      assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
      assertThat(server.received()).hasSizeGreaterThan(1);
    }
  }

  @Test
  void whatAnEarlierAttemptMayHaveRecordedIsUnknownWhateverALaterOneSays() {
    server
        .thenCut()
        .thenProblem(
            503,
            "\"code\":\"unavailable\",\"detail\":\"d\",\"reason\":\"CLOSED\",\"outcome\":\"NOT_POSTED\"");

    UnavailableException failure = unavailable(() -> client.post(POST));

    assertThat(failure.reason()).isEqualTo(Reason.CLOSED);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void withoutAServerNothingIsPosted() {
    PartitaClientConfig config =
        PartitaClientConfig.builder(URI.create("http://127.0.0.1:" + freePort()))
            .patience(SHORT)
            .build();
    try (PartitaClient alone = new PartitaClient(config)) {
      UnavailableException failure = unavailable(() -> alone.post(POST));

      assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT);
      assertThat(failure.outcome()).isEqualTo(Outcome.NOT_POSTED);
      assertThat(failure).hasMessageContaining(config.baseUri().toString());
    }
  }

  @Test
  void waitsForAServerThatComesUp() throws Exception {
    int port = freePort();
    PartitaClientConfig config = PartitaClientConfig.of(URI.create("http://127.0.0.1:" + port));
    try (PartitaClient early = new PartitaClient(config)) {
      CompletableFuture<?> answer = early.submit(POST);
      try (FakeServer late = new FakeServer(port).thenJson(REFUSED)) {
        assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(late.received()).hasSize(1);
      }
    }
  }

  @Test
  void whatTheServerDoesNotAnswerInTimeIsNotSentAgain() {
    server.thenSilence().thenSilence();
    try (PartitaClient hasty = client(SHORT, LONG)) {
      UnavailableException post = unavailable(() -> hasty.post(POST));
      UnavailableException read = unavailable(() -> hasty.transfers(List.of(ID)));

      assertThat(post.reason()).isEqualTo(Reason.TIMED_OUT);
      assertThat(post.outcome()).isEqualTo(Outcome.UNKNOWN);
      assertThat(read.reason()).isEqualTo(Reason.TIMED_OUT);
      assertThat(read.outcome()).isEqualTo(Outcome.NOT_POSTED);
      assertThat(server.received()).hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void theTimeOutCoversTheAnswerToItsLastByte() {
    server.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          server.awaitEnd();
        });
    try (PartitaClient hasty = client(SHORT, LONG)) {
      assertThat(unavailable(hasty::assets).reason()).isEqualTo(Reason.TIMED_OUT);
    }
  }

  @Test
  void expiringIsNotRepeatedOnceItMayHaveArrived() {
    server.thenCut().thenJson("{\"transfers\":[]}");

    UnavailableException failure = unavailable(() -> client.expireDue(10));

    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void anInterruptedThreadSendsNoPost() {
    Thread.currentThread().interrupt();
    UnavailableException failure = unavailable(() -> client.post(POST));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.reason()).isEqualTo(Reason.WITHDRAWN);
    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_POSTED);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void aPostUnderWayIsWaitedForThroughAnInterrupt() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    server.then(
        exchange -> {
          asked.countDown();
          awaitQuietly(interrupted);
          FakeServer.send(exchange, 200, "application/json", REFUSED);
        });
    CompletableFuture<Boolean> flagAfterAnswer = new CompletableFuture<>();
    Thread poster =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    client.post(POST);
                    flagAfterAnswer.complete(Thread.currentThread().isInterrupted());
                  } catch (RuntimeException e) {
                    flagAfterAnswer.completeExceptionally(e);
                  }
                });

    asked.await();
    poster.interrupt();
    interrupted.countDown();

    assertThat(flagAfterAnswer.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anInterruptEndsThePauseBetweenTwoAttempts() {
    Thread caller = Thread.currentThread();
    server
        .thenCut()
        .then(
            exchange -> {
              caller.interrupt();
              exchange.close();
            })
        .thenJson(REFUSED);

    UnavailableException failure = unavailable(() -> client.post(POST));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.reason()).isEqualTo(Reason.WITHDRAWN);
    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(server.received()).hasSize(2);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
