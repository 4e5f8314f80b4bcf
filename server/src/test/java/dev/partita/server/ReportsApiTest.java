package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportsApiTest extends ApiTest {

  @Test
  void balances() {
    givenAccounts();
    post("/v1/transfers", direct(1, "1.50")).ok(201);
    Answer balance = get("/v1/trial-balance").ok(200);
    assertThat(balance.at("/balanced").booleanValue()).isTrue();
    assertThat(balance.at("/lines").size()).isEqualTo(2);
    assertThat(balance.body()).contains("\"debitsPosted\":\"1.50\"");
    assertThat(get("/v1/trial-balance?amounts=minor").ok(200).body())
        .contains("\"debitsPosted\":\"150\"");
  }

  @Test
  void readsTheJournalAsItGrows() {
    givenAccounts();
    post("/v1/transfers", direct(1, "1")).ok(201);
    post("/v1/transfers", direct(2, "2")).ok(201);
    Answer first = get("/v1/journal?limit=1").ok(200);
    assertThat(first.text("/transfers/0/id")).isEqualTo(id(1));
    Answer second = get("/v1/journal?cursor=" + first.text("/next")).ok(200);
    assertThat(second.text("/transfers/0/id")).isEqualTo(id(2));
    post("/v1/transfers", direct(3, "3")).ok(201);
    Answer third = get("/v1/journal?cursor=" + second.text("/next")).ok(200);
    assertThat(third.at("/transfers").size()).isEqualTo(1);
    assertThat(third.text("/transfers/0/id")).isEqualTo(id(3));
  }

  @Test
  void sendsALongPageWhole() {
    givenAccounts();
    StringBuilder items = new StringBuilder("{\"items\":[");
    for (int i = 1; i <= 2_000; i++) {
      items.append(i == 1 ? "" : ",").append(direct(i, "1"));
    }
    post("/v1/transfers", items.append("]}").toString()).ok(200);
    Answer page = get("/v1/journal?limit=10000").ok(200);
    assertThat(page.at("/transfers").size()).isEqualTo(2_000);
    assertThat(page.text("/transfers/1999/creditAfter/balance")).isEqualTo("2000.00");
  }
}
