package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountsApiTest extends ApiTest {

  @BeforeEach
  void registerEuro() {
    post("/v1/assets", "{\"assets\":[{\"code\":\"EUR\"},{\"code\":\"USD\"}]}").ok(200);
  }

  @Test
  void opensOneAccount() {
    String body =
        "{\"id\":\"seller:42\",\"asset\":\"EUR\",\"minBalance\":\"-5\",\"metadata\":{\"a\":\"b\"}}";
    Answer created = post("/v1/accounts", body).ok(201);
    assertThat(created.text("/status")).isEqualTo("CREATED");
    assertThat(created.text("/account/id")).isEqualTo("seller:42");
    assertThat(created.text("/account/normal")).isEqualTo("CREDIT");
    assertThat(created.text("/account/minBalance")).isEqualTo("-5.00");
    assertThat(created.text("/account/metadata/a")).isEqualTo("b");
    assertThat(created.text("/account/openedAt")).isEqualTo("2026-01-01T00:00:00.000000Z");
    assertThat(created.header("Location")).isEqualTo("/v1/accounts/seller:42");
    assertThat(get(created.header("Location")).ok(200).json()).isEqualTo(created.at("/account"));

    Answer again = post("/v1/accounts", body).ok(200);
    assertThat(again.text("/status")).isEqualTo("EXISTS");
    assertThat(again.at("/account")).isEqualTo(created.at("/account"));
  }

  @Test
  void refusesToOpenAnotherAccountUnderTheSameId() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\"}").ok(201);
    Answer refused =
        post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\",\"code\":7}")
            .problem(409, "exists_different")
            .pointer("/code");
    assertThat(refused.text("/field")).isEqualTo("code");
  }

  @Test
  void refusesAnAccountOfAnUnknownAsset() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"XYZ\"}")
        .problem(422, "unknown_asset")
        .pointer("/asset");
  }

  @Test
  void cannotReadALimitOfAnUnknownAsset() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"XYZ\",\"minBalance\":\"0\"}")
        .problem(400, "invalid_value")
        .pointer("/asset");
    post("/v1/accounts?amounts=minor", "{\"id\":\"a\",\"asset\":\"XYZ\",\"minBalance\":\"0\"}")
        .problem(422, "unknown_asset");
  }

  @Test
  void opensSeveralAccountsEachByItself() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\"}").ok(201);
    Answer answer =
        post(
            "/v1/accounts",
            """
            {"accounts":[{"id":"a","asset":"EUR"},{"id":"a","asset":"USD"},
                         {"id":"b","asset":"EUR"},{"id":"c","asset":"XYZ"}]}""");
    assertThat(answer.ok(200).body())
        .isEqualTo(
            """
            {"results":[{"id":"a","status":"EXISTS"},\
            {"id":"a","status":"EXISTS_DIFFERENT","field":"asset"},\
            {"id":"b","status":"CREATED"},{"id":"c","status":"UNKNOWN_ASSET"}]}""");
  }

  @Test
  void listsAccountsPageByPage() {
    for (String id : List.of("s:3", "s:1", "t:1", "s:2")) {
      post("/v1/accounts", "{\"id\":\"" + id + "\",\"asset\":\"EUR\",\"code\":9}").ok(201);
    }
    post("/v1/accounts", "{\"id\":\"s:4\",\"asset\":\"USD\",\"code\":9}").ok(201);
    String query = "/v1/accounts?prefix=s%3A&asset=EUR&code=9&limit=2";
    List<String> seen = new ArrayList<>();
    Answer page = get(query).ok(200);
    seen.addAll(page.at("/accounts").findValuesAsString("id"));
    while (!page.at("/next").isMissingNode()) {
      page = get(query + "&cursor=" + page.text("/next")).ok(200);
      seen.addAll(page.at("/accounts").findValuesAsString("id"));
    }
    assertThat(seen).containsExactly("s:1", "s:2", "s:3");
  }

  @Test
  void findsAnAccountByItsPercentEncodedId() {
    post("/v1/accounts", "{\"id\":\"a:b.c_d-e\",\"asset\":\"EUR\"}").ok(201);
    assertThat(get("/v1/accounts/a%3Ab%2ec%5Fd-e").ok(200).text("/id")).isEqualTo("a:b.c_d-e");
  }

  @Test
  void findsAccountsWhoseIdsLookLikeDirectories() {
    post("/v1/accounts", "{\"id\":\"..\",\"asset\":\"EUR\"}").ok(201);
    assertThat(get("/v1/accounts/..").ok(200).text("/id")).isEqualTo("..");
    assertThat(get("/v1/accounts/%2E%2E/balance").ok(200).text("/account")).isEqualTo("..");
  }

  @Test
  void changesAndUnchangesAnAccount() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\",\"minBalance\":\"0\"}").ok(201);
    String body =
        "{\"minBalance\":null,\"maxBalance\":\"9.5\",\"closed\":true,\"ifChange\":0,\"actor\":\"x\"}";
    Answer changed = patch("/v1/accounts/a", body).ok(200);
    assertThat(changed.text("/status")).isEqualTo("CHANGED");
    assertThat(changed.at("/account/minBalance").isMissingNode()).isTrue();
    assertThat(changed.text("/account/maxBalance")).isEqualTo("9.50");
    assertThat(changed.text("/account/closedAt")).isNotBlank();
    assertThat(patch("/v1/accounts/a", body).ok(200).text("/status")).isEqualTo("UNCHANGED");

    Answer changes = get("/v1/accounts/a/changes").ok(200);
    assertThat(changes.at("/changes").size()).isEqualTo(1);
    assertThat(changes.text("/changes/0/actor")).isEqualTo("x");
    assertThat(changes.text("/changes/0/before/minBalance")).isEqualTo("0.00");
    assertThat(changes.text("/changes/0/after/maxBalance")).isEqualTo("9.50");
  }

  @Test
  void refusesAChangeAfterAnother() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\"}").ok(201);
    patch("/v1/accounts/a", "{\"closed\":true}").ok(200);
    Answer refused =
        patch("/v1/accounts/a", "{\"closed\":false,\"ifChange\":0}")
            .problem(409, "changed_meanwhile");
    assertThat(refused.at("/account/lastChange").intValue()).isEqualTo(1);
  }

  @Test
  void refusesCrossedLimits() {
    post("/v1/accounts", "{\"id\":\"a\",\"asset\":\"EUR\",\"maxBalance\":\"1\"}").ok(201);
    Answer refused =
        patch("/v1/accounts/a", "{\"minBalance\":\"2\"}").problem(422, "limits_crossed");
    assertThat(refused.text("/account/maxBalance")).isEqualTo("1.00");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/v1/accounts/nobody",
    "PATCH,/v1/accounts/nobody",
    "GET,/v1/accounts/nobody/changes",
    "GET,/v1/accounts/nobody/balance",
    "GET,/v1/accounts/nobody/balance?recordedAt=2026-01-01T00:00:00Z",
    "GET,/v1/accounts/nobody/balance?effectiveAt=2026-01-01T00:00:00Z",
    "GET,/v1/accounts/nobody/statement",
    "GET,/v1/transfers?account=nobody",
    "GET,/v1/holds?account=nobody"
  })
  void saysWhichAccountIsUnknown(String method, String address) {
    Answer answer = method.equals("GET") ? get(address) : patch(address, "{\"closed\":true}");
    assertThat(answer.problem(404, "account_not_found").text("/account")).isEqualTo("nobody");
  }

  @Test
  void tellsWhereAnAccountStandsAndStood() {
    givenAccounts();
    server.clock.advance(Duration.ofMinutes(1));
    post("/v1/transfers", direct(1, "12.34")).ok(201);
    server.clock.advance(Duration.ofMinutes(1));

    Answer now = get("/v1/accounts/wallet/balance").ok(200);
    assertThat(now.text("/balance")).isEqualTo("12.34");
    assertThat(now.text("/creditsPosted")).isEqualTo("12.34");
    assertThat(now.text("/settledUntil")).isNotBlank();
    assertThat(get("/v1/accounts/wallet/balance?amounts=minor").ok(200).text("/balance"))
        .isEqualTo("1234");
    assertThat(
            get("/v1/accounts/wallet/balance?recordedAt=2026-01-01T00:00:30Z")
                .ok(200)
                .text("/balance"))
        .isEqualTo("0.00");
    assertThat(
            get("/v1/accounts/wallet/balance?effectiveAt=2026-01-01T00:01:00.000000Z")
                .ok(200)
                .text("/credits"))
        .isEqualTo("12.34");
    assertThat(
            get("/v1/accounts/wallet/balance?effectiveAt=2026-01-01T00:01:00Z"
                    + "&knownAt=2026-01-01T00:00:59.999999Z")
                .ok(200)
                .text("/credits"))
        .isEqualTo("0.00");
  }

  @ParameterizedTest
  @CsvSource({
    "recordedAt=2025-01-01T00:00:00Z,recordedAt",
    "recordedAt=2027-01-01T00:00:00Z,recordedAt",
    "effectiveAt=2026-01-01T00:00:00Z&knownAt=2027-01-01T00:00:00Z,knownAt",
    "knownAt=2026-01-01T00:00:00Z,knownAt",
    "recordedAt=2026-01-01T00:00:00Z&effectiveAt=2026-01-01T00:00:00Z,recordedAt",
    "recordedAt=yesterday,recordedAt",
    "recordedAt=2026-01-01T00:00:00%2B01:00,recordedAt",
    "recordedAt=2026-02-30T00:00:00Z,recordedAt",
    "recordedAt=,recordedAt"
  })
  void refusesTimesThatCannotBeAsked(String query, String parameter) {
    givenAccounts();
    get("/v1/accounts/wallet/balance?" + query)
        .problem(400, "invalid_parameter")
        .parameter(parameter);
  }

  @Test
  void readsAStatementEitherWay() {
    givenAccounts();
    for (int i = 1; i <= 3; i++) {
      post("/v1/transfers", direct(i, "1.00")).ok(201);
    }
    Answer newest = get("/v1/accounts/wallet/statement?limit=2").ok(200);
    assertThat(newest.at("/entries").findValuesAsString("counterparty"))
        .containsExactly("bank", "bank");
    assertThat(newest.at("/entries/0/version").intValue()).isEqualTo(3);
    assertThat(newest.text("/entries/0/balance")).isEqualTo("3.00");
    Answer rest =
        get("/v1/accounts/wallet/statement?limit=2&cursor=" + newest.text("/next")).ok(200);
    assertThat(rest.at("/entries/0/version").intValue()).isEqualTo(1);
    assertThat(rest.at("/next").isMissingNode()).isTrue();
    assertThat(
            get("/v1/accounts/wallet/statement?order=oldest&amounts=minor")
                .ok(200)
                .text("/entries/0/amount"))
        .isEqualTo("100");
  }

  @Test
  void refusesACursorOfAnotherQuestion() {
    givenAccounts();
    post("/v1/transfers", direct(1, "1.00")).ok(201);
    post("/v1/transfers", direct(2, "1.00")).ok(201);
    String cursor = get("/v1/accounts/wallet/statement?limit=1").ok(200).text("/next");
    get("/v1/accounts/bank/statement?limit=1&cursor=" + cursor)
        .problem(400, "invalid_parameter")
        .parameter("cursor");
    get("/v1/accounts/wallet/statement?order=oldest&cursor=" + cursor)
        .problem(400, "invalid_parameter")
        .parameter("cursor");
    get("/v1/accounts?cursor=" + cursor).problem(400, "invalid_parameter").parameter("cursor");
  }
}
