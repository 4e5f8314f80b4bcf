package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldsApiTest extends ApiTest {

  @BeforeEach
  void hold() {
    givenAccounts();
    givenHold();
  }

  @Test
  void listsOpenHolds() {
    Answer holds =
        get("/v1/holds?account=wallet&asset=EUR&dueBy=2026-01-01T01:00:00Z&limit=5").ok(200);
    assertThat(holds.at("/holds").size()).isEqualTo(1);
    assertThat(holds.text("/holds/0/id")).isEqualTo(HOLD);
    assertThat(holds.text("/holds/0/remaining")).isEqualTo("10.00");
    assertThat(holds.text("/holds/0/deadline")).isEqualTo("2026-01-01T01:00:00.000000Z");
    assertThat(holds.text("/holds/0/transfer/reference")).isEqualTo("order 7");
    assertThat(get("/v1/holds?dueBy=2026-01-01T00:59:59Z").ok(200).body())
        .isEqualTo("{\"holds\":[]}");
    assertThat(get("/v1/holds?amounts=minor").ok(200).text("/holds/0/remaining")).isEqualTo("1000");
  }

  @Test
  void expiresHoldsWhoseDeadlineHasPassed() {
    assertThat(post("/v1/holds/expire", "{\"limit\":10}").ok(200).body())
        .isEqualTo("{\"transfers\":[]}");
    server.clock.advance(Duration.ofHours(1));
    Answer expired = post("/v1/holds/expire", "{\"limit\":10}").ok(200);
    assertThat(expired.text("/transfers/0/kind")).isEqualTo("EXPIRY");
    assertThat(expired.text("/transfers/0/relatedId")).isEqualTo(HOLD);
    assertThat(get("/v1/holds").ok(200).body()).isEqualTo("{\"holds\":[]}");
  }

  @ParameterizedTest
  @CsvSource({"0", "10001", "-1"})
  void refusesAnImpossibleLimit(String limit) {
    post("/v1/holds/expire", "{\"limit\":" + limit + "}")
        .problem(400, "invalid_value")
        .pointer("/limit");
  }
}
