package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransfersApiTest extends ApiTest {

  @BeforeEach
  void openAccounts() {
    givenAccounts();
  }

  @Test
  void postsOneTransferOnce() {
    Answer created = post("/v1/transfers", direct(1, "12.3")).ok(201);
    assertThat(created.text("/status")).isEqualTo("CREATED");
    assertThat(created.text("/transfer/amount")).isEqualTo("12.30");
    assertThat(created.text("/transfer/creditAfter/balance")).isEqualTo("12.30");
    assertThat(created.header("Location")).isEqualTo("/v1/transfers/" + id(1));
    assertThat(get(created.header("Location")).ok(200).json()).isEqualTo(created.at("/transfer"));

    Answer replay = post("/v1/transfers", direct(1, "12.30")).ok(200);
    assertThat(replay.text("/status")).isEqualTo("EXISTS");
    assertThat(replay.at("/replay").booleanValue()).isTrue();
    assertThat(replay.at("/transfer")).isEqualTo(created.at("/transfer"));
    assertThat(get("/v1/accounts/wallet").text("/balance")).isEqualTo("12.30");
  }

  @Test
  void readsAndWritesWholeMinorUnitsIfAsked() {
    Answer created = post("/v1/transfers?amounts=minor", direct(1, "1234")).ok(201);
    assertThat(created.text("/transfer/amount")).isEqualTo("1234");
    assertThat(get("/v1/transfers/" + id(1)).text("/amount")).isEqualTo("12.34");
    assertThat(get("/v1/transfers/" + id(1) + "?amounts=major").text("/amount")).isEqualTo("12.34");
  }

  @Test
  void saysWhyATransferIsRefused() {
    Answer refused =
        post(
                "/v1/transfers",
                """
                {"id":"%s","asset":"EUR","debit":"wallet","credit":"bank","amount":"0.01"}"""
                    .formatted(id(1)))
            .problem(422, "refused");
    assertThat(refused.text("/result/status")).isEqualTo("INSUFFICIENT_FUNDS");
    assertThat(refused.text("/result/account")).isEqualTo("wallet");
    assertThat(refused.text("/result/id")).isEqualTo(id(1));
    get("/v1/transfers/" + id(1)).problem(404, "transfer_not_found");
  }

  @Test
  void namesTheFieldInWhichARepetitionDiffers() {
    post("/v1/transfers", direct(1, "1.00")).ok(201);
    Answer refused = post("/v1/transfers", direct(1, "1.01")).problem(422, "refused");
    assertThat(refused.text("/result/status")).isEqualTo("EXISTS_DIFFERENT");
    assertThat(refused.text("/result/field")).isEqualTo("amount");
  }

  @Test
  void postsItemsInOrder() {
    givenHold();
    Answer answer =
        post(
                "/v1/transfers",
                """
                {"items":[
                  %s,
                  {"id":"%s","asset":"EUR","debit":"bank","credit":"nobody","amount":"1"},
                  {"id":"%s","kind":"POST","relatedId":"%s","asset":"EUR","amount":"4"},
                  {"group":{"id":"%s","members":[
                    {"id":"%s","kind":"PENDING","asset":"EUR","debit":"bank","credit":"wallet","amount":"2"},
                    {"id":"%s","asset":"EUR","debit":"wallet","credit":"bank","amount":"1"}]}},
                  {"resolve":{"id":"%s","groupId":"%s","kind":"VOID"}}]}"""
                    .formatted(
                        direct(10, "5"),
                        id(11),
                        id(12),
                        HOLD,
                        id(13),
                        id(14),
                        id(15),
                        id(16),
                        id(13)))
            .ok(200);
    assertThat(answer.at("/results").size()).isEqualTo(5);
    assertThat(answer.text("/results/0/transfers/0/status")).isEqualTo("CREATED");
    assertThat(answer.text("/results/1/transfers/0/status")).isEqualTo("CREDIT_ACCOUNT_NOT_FOUND");
    assertThat(answer.text("/results/1/transfers/0/account")).isEqualTo("nobody");
    assertThat(answer.text("/results/2/transfers/0/transfer/released")).isEqualTo("6.00");
    assertThat(answer.at("/results/3/transfers").findValuesAsString("status"))
        .containsExactly("CREATED", "CREATED");
    assertThat(answer.text("/results/4/transfers/0/transfer/kind")).isEqualTo("VOID");
    assertThat(get("/v1/accounts/wallet").text("/balance")).isEqualTo("8.00");
  }

  @Test
  void answersNothingToNothing() {
    assertThat(post("/v1/transfers", "{\"items\":[]}").ok(200).body())
        .isEqualTo("{\"results\":[]}");
  }

  @Test
  void recordsNothingOfARequestWithAMalformedItem() {
    post("/v1/transfers", "{\"items\":[" + direct(1, "1.00") + "," + direct(2, "1.001") + "]}")
        .problem(400, "invalid_value")
        .pointer("/items/1/amount");
    get("/v1/transfers/" + id(1)).problem(404, "transfer_not_found");
  }

  @ParameterizedTest
  @CsvSource({"POST", "REVERSAL"})
  void needsTheAssetBesideAnAmountInMajorUnits(String kind) {
    String body =
        """
        {"id":"%s","kind":"%s","relatedId":"%s","amount":"4"}"""
            .formatted(id(1), kind, HOLD);
    post("/v1/transfers", body).problem(400, "missing_field").pointer("/asset");
    post("/v1/transfers?amounts=minor", body).problem(422, "refused");
  }

  @Test
  void refusesWhatOnlyTheEngineMayPost() {
    post(
            "/v1/transfers",
            "{\"id\":\"%s\",\"kind\":\"EXPIRY\",\"relatedId\":\"%s\"}".formatted(id(1), HOLD))
        .problem(400, "invalid_value")
        .pointer("/kind");
    post("/v1/transfers", direct(1, "1").replace("-4000-", "-8000-"))
        .problem(400, "invalid_value")
        .pointer("/id");
  }

  @Test
  void refusesMoreTransfersThanAPostMayHave() {
    StringBuilder items = new StringBuilder("{\"items\":[");
    for (int i = 1; i <= 10_001; i++) {
      items.append(i == 1 ? "" : ",").append(direct(i, "1"));
    }
    Answer refused = post("/v1/transfers", items.append("]}").toString());
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("/pointer")).startsWith("/items");
    get("/v1/transfers/" + id(1)).problem(404, "transfer_not_found");
  }

  @Test
  void looksTransfersUp() {
    post("/v1/transfers", direct(1, "1")).ok(201);
    post("/v1/transfers", direct(2, "2")).ok(201);
    Answer found =
        post(
                "/v1/transfers/lookup",
                "{\"ids\":[\"%s\",\"%s\",\"%s\"]}".formatted(id(2), id(3), id(1)))
            .ok(200);
    assertThat(found.at("/transfers").size()).isEqualTo(2);
    assertThat(found.text("/transfers/0/id")).isEqualTo(id(2));
    assertThat(found.text("/transfers/1/id")).isEqualTo(id(1));
  }

  @Test
  void findsTransfers() {
    givenHold();
    post("/v1/transfers", direct(5, "5")).ok(201);
    post(
            "/v1/transfers",
            "{\"id\":\"%s\",\"kind\":\"VOID\",\"relatedId\":\"%s\"}".formatted(id(6), HOLD))
        .ok(201);
    assertThat(get("/v1/transfers?reference=order+7").ok(200).at("/transfers").size()).isEqualTo(2);
    assertThat(get("/v1/transfers?reference=order%207&limit=1").ok(200).text("/next")).isNotBlank();
    assertThat(get("/v1/transfers?related=" + HOLD).ok(200).text("/transfers/0/id"))
        .isEqualTo(id(6));
    assertThat(get("/v1/transfers?account=wallet&code=0").ok(200).at("/transfers").size())
        .isEqualTo(3);
    assertThat(
            get("/v1/transfers?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z")
                .ok(200)
                .at("/transfers")
                .size())
        .isEqualTo(3);
    assertThat(get("/v1/transfers?group=" + id(9)).ok(200).body()).isEqualTo("{\"transfers\":[]}");
  }

  @Test
  void refusesToSearchTheWholeLedger() {
    get("/v1/transfers").problem(400, "invalid_value");
    get("/v1/transfers?code=7").problem(400, "invalid_value");
  }

  @ParameterizedTest
  @CsvSource({
    "reference=,reference",
    "reference=%00,reference",
    "group=7,group",
    "related=x,related",
    "account=a::b,account",
    "account=wallet&code=65536,code",
    "account=wallet&code=-1,code",
    "account=wallet&code=1.0,code",
    "account=wallet&limit=0,limit",
    "account=wallet&limit=10001,limit",
    "account=wallet&limit=99999999999,limit",
    "account=wallet&limit=%2B1,limit",
    "account=wallet&cursor=x,cursor",
    "account=wallet&cursor=,cursor",
    "account=wallet&amounts=euros,amounts",
    "account=wallet&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z,from"
  })
  void blamesTheParameterThatCannotBeMeant(String query, String parameter) {
    get("/v1/transfers?" + query).problem(400, "invalid_parameter").parameter(parameter);
  }

  @ParameterizedTest
  @CsvSource({"7", "00000000-0000-4000-8000-00000000000g", "%20"})
  void refusesIdsThatAreNone(String id) {
    get("/v1/transfers/" + id).problem(400, "invalid_parameter").parameter("id");
  }
}
