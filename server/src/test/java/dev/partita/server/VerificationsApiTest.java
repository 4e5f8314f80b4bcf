package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Ledger;
import dev.partita.Progress;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import dev.partita.VerifyReport.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class VerificationsApiTest {

  private static final String PATH = "/v1/verifications";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void verifiesTheLedger() {
    try (TestServer server = TestServer.overMemory()) {
      Answer begun = begin(server);
      Answer done = await(server, begun, "DONE");
      assertThat(done.text("/id")).isEqualTo(begun.text("/id"));
      assertThat(done.at("/report/clean").booleanValue()).isTrue();
      assertThat(done.at("/report/violations").size()).isZero();
    }
  }

  @Test
  void tellsHowFarItIsAndRunsOneAtATime() throws InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Ledger ledger =
        StubLedger.answering(
            (proxy, method, arguments) -> {
              ((Progress) arguments[0]).report(3, 7);
              reported.countDown();
              released.await();
              return new VerifyReport("end", 2, 7, List.of(new Violation(1, "EUR", "off by 1")));
            });
    try (TestServer server = TestServer.over(ledger)) {
      Answer begun = begin(server);
      reported.await();
      Answer running = server.get(begun.header("Location")).ok(200);
      assertThat(running.text("/state")).isEqualTo("RUNNING");
      assertThat(running.at("/done").intValue()).isEqualTo(3);
      assertThat(running.at("/total").intValue()).isEqualTo(7);
      Answer refused = post(server).problem(409, "verification_running");
      assertThat(refused.header("Location")).isEqualTo(begun.header("Location"));

      released.countDown();
      Answer done = await(server, begun, "DONE");
      assertThat(done.at("/report/clean").booleanValue()).isFalse();
      assertThat(done.text("/report/violations/0/subject")).isEqualTo("EUR");
      begin(server);
    }
  }

  @Test
  void saysWhyItFailed() {
    Ledger ledger =
        StubLedger.failing(
            new UnavailableException(
                Reason.DATABASE_UNAVAILABLE, Outcome.NOT_POSTED, "db.internal is gone", null));
    try (TestServer server = TestServer.over(ledger)) {
      Answer failed = await(server, begin(server), "FAILED");
      assertThat(failed.text("/problem/reason")).isEqualTo("DATABASE_UNAVAILABLE");
      assertThat(failed.body()).doesNotContain("db.internal");
    }
  }

  @Test
  void takesNoBody() {
    try (TestServer server = TestServer.overMemory()) {
      server.post(PATH, "{\"from\":1}").problem(400, "unexpected_body");
    }
  }

  @Test
  void keepsTheLastFew() {
    try (TestServer server = TestServer.overMemory()) {
      Answer first = begin(server);
      await(server, first, "DONE");
      Answer latest = first;
      for (int i = 0; i < 16; i++) {
        latest = begin(server);
        await(server, latest, "DONE");
      }
      server.get(latest.header("Location")).ok(200);
      server.get(first.header("Location")).problem(404, "verification_not_found");
    }
  }

  private static Answer begin(TestServer server) {
    Answer begun = post(server).ok(202);
    assertThat(begun.header("Location")).isEqualTo(PATH + "/" + begun.text("/id"));
    return begun;
  }

  private static Answer post(TestServer server) {
    return server.post(PATH, "");
  }

  private static Answer await(TestServer server, Answer begun, String state) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Answer answer = server.get(begun.header("Location")).ok(200);
    while (!answer.text("/state").equals(state)) {
      assertThat(System.nanoTime()).as(answer.body()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
      answer = server.get(begun.header("Location")).ok(200);
    }
    return answer;
  }
}
