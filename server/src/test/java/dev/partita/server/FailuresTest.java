package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.CorruptionException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way in which a ledger fails, as a client sees it. */
class FailuresTest {

  private static final String SECRET = "jdbc:postgresql://db.internal/ledger";

  @ParameterizedTest
  @EnumSource(Reason.class)
  void tellsWhyThereIsNoAnswerAndWhatToDo(Reason reason) {
    for (Outcome outcome : Outcome.values()) {
      Answer answer = failing(new UnavailableException(reason, outcome, SECRET, null));
      if (reason == Reason.QUEUE_FULL) {
        answer.problem(429, "queue_full");
        assertThat(answer.header("Retry-After")).isEqualTo("1");
      } else {
        answer.problem(503, "unavailable");
      }
      assertThat(answer.text("/reason")).isEqualTo(reason.name());
      assertThat(answer.text("/outcome")).isEqualTo(outcome.name());
      assertThat(answer.text("/detail"))
          .contains(
              outcome == Outcome.UNKNOWN ? "may have been recorded" : "nothing of it was recorded")
          .contains("same ids");
      assertThat(answer.body()).doesNotContain(SECRET);
    }
  }

  @Test
  void passesOnWhatTheCallerDidWrong() {
    Answer answer = failing(new MisuseException("items", "has too many; split it"));
    answer.problem(400, "invalid_value").pointer("/items");
    assertThat(answer.text("/detail")).contains("has too many; split it");
    failing(new MisuseException("limit", "must be 1 … 10000"))
        .problem(400, "invalid_parameter")
        .parameter("limit");
    failing(new MisuseException(3, "members[2].id", "is engine-made"))
        .problem(400, "invalid_value")
        .pointer("/items/3/members/2/id");
    failing(new MisuseException("cannot be asked")).problem(400, "invalid_value");
  }

  @Test
  void keepsWhatIsBrokenInsideToItself() {
    Answer corruption = failing(new CorruptionException("account wallet: " + SECRET));
    assertThat(corruption.problem(500, "corruption").body()).doesNotContain("wallet", SECRET);
    Answer internal = failing(new IllegalStateException(SECRET));
    assertThat(internal.problem(500, "internal").body())
        .doesNotContain(SECRET, "IllegalState", "dev.partita");
  }

  @Test
  void answersAProblemWhereADocumentCannotBeWritten() {
    try (TestServer server =
        TestServer.over(StubLedger.answering((proxy, method, arguments) -> null))) {
      server.get("/v1/trial-balance").problem(500, "internal");
    }
  }

  private static Answer failing(RuntimeException failure) {
    try (TestServer server = TestServer.over(StubLedger.failing(failure))) {
      return server.get("/v1/accounts?limit=1");
    }
  }
}
