package dev.partita.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.partita.CorruptionException;
import dev.partita.Progress;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.VerifyReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A verification is begun and asked about until it has ended. */
class VerifyTest extends ClientFixture {

  @Test
  void tellsHowFarItIsAndAnswersTheReport() {
    server
        .thenJson("{\"id\":\"v1\",\"state\":\"RUNNING\",\"done\":0,\"total\":4}")
        .thenJson("{\"id\":\"v1\",\"state\":\"RUNNING\",\"done\":2,\"total\":4}")
        .thenJson(
            """
            {"id":"v1","state":"DONE","done":4,"total":4,"report":{"clean":true,"position":"p",\
            "accounts":2,"transfers":4,"violations":[]}}""");
    List<Long> told = new ArrayList<>();

    VerifyReport report = client.verify((done, total) -> told.add(done));

    assertThat(report).isEqualTo(new VerifyReport("p", 2, 4, List.of()));
    assertThat(told).containsExactly(0L, 2L, 4L);
    assertThat(server.received())
        .extracting(request -> request.method() + " " + request.target())
        .containsExactly(
            "POST /v1/verifications", "GET /v1/verifications/v1", "GET /v1/verifications/v1");
  }

  @Test
  void failsAsTheServerDid() {
    server.thenJson(
        """
        {"id":"v1","state":"FAILED","done":0,"total":0,"problem":{"status":500,\
        "code":"corruption","detail":"a counter is wrong"}}""");

    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> client.verify(Progress.NONE))
        .withMessageContaining("a counter is wrong");
  }

  @Test
  void oneAtATimeIsContention() {
    server.thenProblem(409, "\"code\":\"verification_running\",\"detail\":\"wait for it\"");

    UnavailableException failure = unavailable(() -> client.verify(Progress.NONE));

    assertThat(failure.reason()).isEqualTo(Reason.CONTENTION);
    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_POSTED);
  }
}
