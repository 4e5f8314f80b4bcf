package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that cannot be meant is refused, says what is wrong, and changes nothing. */
class HostileRequestsTest extends ApiTest {

  @BeforeEach
  void openAccounts() {
    givenAccounts();
  }

  static Stream<Arguments> badTransfers() {
    String good = direct(1, "1.00");
    return Stream.of(
        Arguments.of("", "invalid_json", ""),
        Arguments.of("{", "invalid_json", null),
        Arguments.of("[]", "wrong_type", ""),
        Arguments.of("null", "wrong_type", ""),
        Arguments.of("\"x\"", "wrong_type", ""),
        Arguments.of(good + "{}", "invalid_json", null),
        Arguments.of(good + " x", "invalid_json", null),
        Arguments.of("{'id':1}", "invalid_json", null),
        Arguments.of("// hi\n" + good, "invalid_json", null),
        Arguments.of("{}", "missing_field", "/id"),
        Arguments.of(good.replace("\"1.00\"", "1.00"), "wrong_type", "/amount"),
        Arguments.of(good.replace("\"1.00\"", "1"), "wrong_type", "/amount"),
        Arguments.of(good.replace("\"1.00\"", "NaN"), "invalid_json", null),
        Arguments.of(good.replace("\"1.00\"", "null"), "wrong_type", "/amount"),
        Arguments.of(good.replace("\"1.00\"", "[\"1.00\"]"), "wrong_type", "/amount"),
        Arguments.of(good.replace("1.00", "-1"), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "+1"), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "1e3"), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "NaN"), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "1.001"), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "9".repeat(40)), "invalid_value", "/amount"),
        Arguments.of(good.replace("1.00", "9".repeat(5_000)), "invalid_value", "/amount"),
        Arguments.of(good.replace("\"EUR\"", "\"eur\""), "invalid_value", "/asset"),
        Arguments.of(good.replace("\"bank\"", "\"b/nk\""), "invalid_value", "/debit"),
        Arguments.of(good.replace("\"bank\"", "\"\\u0000\""), "invalid_value", "/debit"),
        Arguments.of(good.replace("}", ",\"amount\":\"2\"}"), "duplicate_key", null),
        Arguments.of(good.replace("}", ",\"am\\u006funt\":\"2\"}"), "duplicate_key", null),
        Arguments.of(good.replace("}", ",\"colour\":\"2\"}"), "unknown_field", "/colour"),
        Arguments.of(good.replace("}", ",\"a/b~c\":\"2\"}"), "unknown_field", "/a~1b~0c"),
        Arguments.of(good.replace("}", ",\"code\":\"7\"}"), "wrong_type", "/code"),
        Arguments.of(good.replace("}", ",\"code\":7.0}"), "wrong_type", "/code"),
        Arguments.of(good.replace("}", ",\"code\":65536}"), "invalid_value", "/code"),
        Arguments.of(good.replace("}", ",\"kind\":\"direct\"}"), "invalid_value", "/kind"),
        Arguments.of(good.replace("}", ",\"keepRemainder\":\"true\"}"), "wrong_type", null),
        Arguments.of(
            good.replace("}", ",\"effectiveAt\":\"2026-01-01\"}"), "invalid_value", "/effectiveAt"),
        Arguments.of(good.replace("}", ",\"metadata\":{\"a\":1}}"), "wrong_type", "/metadata/a"),
        Arguments.of(good.replace("}", ",\"metadata\":[]}"), "wrong_type", "/metadata"),
        Arguments.of(
            good.replace("}", ",\"reference\":\"\\ud800\"}"), "invalid_value", "/reference"),
        Arguments.of("{\"items\":{}}", "wrong_type", "/items"),
        Arguments.of("{\"items\":[1]}", "wrong_type", "/items/0"),
        Arguments.of("{\"items\":[" + good + "],\"id\":\"x\"}", "unknown_field", "/id"),
        Arguments.of("{\"a\":" + "[".repeat(40) + "]".repeat(40) + "}", null, null),
        Arguments.of("{\"items\":" + "[".repeat(100_000), null, null));
  }

  @ParameterizedTest
  @MethodSource("badTransfers")
  void refusesBodiesThatCannotBeMeant(String body, String code, String pointer) {
    Answer refused = post("/v1/transfers", body);
    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    if (code != null) {
      refused.problem(400, code);
    }
    if (pointer != null) {
      refused.pointer(pointer);
    }
    get("/v1/transfers/" + id(1)).problem(404, "transfer_not_found");
  }

  @Test
  void refusesDeepNesting() {
    String metadata = "{\"a\":".repeat(40) + "1" + "}".repeat(40);
    post("/v1/transfers", direct(1, "1").replace("}", ",\"metadata\":" + metadata + "}"))
        .problem(400, "too_deep");
  }

  @Test
  void refusesBytesThatAreNotUtf8() {
    byte[] body = direct(1, "1").replace("bank", "b\u00e9nk").getBytes(StandardCharsets.ISO_8859_1);
    Answer refused =
        server.send(
            HttpRequest.newBuilder(server.uri("/v1/transfers"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));
    assertThat(refused.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/accounts?colour=red,unknown_parameter,colour",
    "/v1/assets?limit=1,unknown_parameter,limit",
    "/v1/info?amounts=minor,unknown_parameter,amounts",
    "/v1/accounts?LIMIT=1,unknown_parameter,LIMIT",
    "/v1/accounts?limit=1&limit=1,repeated_parameter,limit",
    "/v1/accounts?limit=1&l%69mit=2,repeated_parameter,limit",
    "/v1/accounts?limit,invalid_parameter,limit",
    "/v1/accounts?limit=,invalid_parameter,limit",
    "/v1/accounts?limit=ten,invalid_parameter,limit",
    "/v1/accounts?asset=eur,invalid_parameter,asset",
    "/v1/accounts?prefix=a%20b,invalid_parameter,prefix",
    "/v1/accounts?cursor=AAAA,invalid_parameter,cursor",
    "/v1/accounts?amounts=,invalid_parameter,amounts",
    "/v1/accounts/wallet/statement?order=up,invalid_parameter,order",
    "/v1/journal?cursor=%F0%9F%92%A9,invalid_parameter,cursor",
    "/v1/accounts/a%2Fb,invalid_parameter,id",
    "/v1/accounts/a%00b,invalid_parameter,id",
    "/v1/accounts/a;b=c,invalid_parameter,id",
    "/v1/verifications/7,invalid_parameter,id"
  })
  void refusesParametersThatCannotBeMeant(String address, String code, String parameter) {
    get(address).problem(400, code).parameter(parameter);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/accounts?&limit=1", "/v1/accounts?limit=1&", "/v1/accounts?=1"})
  void refusesParametersWithoutAName(String address) {
    get(address).problem(400, "unknown_parameter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/",
        "/v2/accounts",
        "/v1/accounts/",
        "/v1/accounts//balance",
        "/v1//accounts",
        "/V1/accounts",
        "/v1/accounts/wallet/",
        "/v1/accounts/wallet/balance/x",
        "/v1/accounts%2Fwallet",
        "/v1/../v1/accounts",
        "/health",
        "/favicon.ico"
      })
  void findsNothingElsewhere(String address) {
    get(address).problem(404, "not_found");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE,/v1/accounts/wallet,'GET, HEAD, PATCH'",
    "PUT,/v1/transfers,'GET, HEAD, POST'",
    "GET,/v1/transfers/lookup/,''",
    "PATCH,/v1/holds,'GET, HEAD'",
    "GET,/v1/holds/expire,POST",
    "POST,/v1/info,'GET, HEAD'",
    "OPTIONS,/v1/assets,'GET, HEAD, POST'",
    "BREW,/v1/assets,'GET, HEAD, POST'"
  })
  void saysWhichMethodsThereAre(String method, String address, String allow) {
    Answer answer =
        server.send(
            HttpRequest.newBuilder(server.uri(address)).method(method, BodyPublishers.noBody()));
    if (allow.isEmpty()) {
      answer.problem(404, "not_found");
    } else {
      assertThat(answer.problem(405, "method_not_allowed").header("Allow")).isEqualTo(allow);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=iso-8859-1",
        "application/jsonx",
        "application/problem+json",
        "json",
        ""
      })
  void takesOnlyJson(String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/v1/transfers"))
            .POST(BodyPublishers.ofString(direct(1, "1")));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    server.send(request).problem(415, "unsupported_media_type");
    get("/v1/transfers/" + id(1)).problem(404, "transfer_not_found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=utf-8",
        "Application/JSON;charset=\"UTF-8\"",
        "application/json ; x=y"
      })
  void takesJsonHoweverItIsSpelled(String type) {
    server
        .send(
            HttpRequest.newBuilder(server.uri("/v1/transfers"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(direct(1, "1"))))
        .ok(201);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/assets,text/html,406",
    "/v1/assets,application/xml;q=1,406",
    "/v1/assets,application/json;q=0,406",
    "/v1/assets,'*/*, application/json;q=0.0',406",
    "/v1/assets,'text/html, */*;q=0.8',200",
    "/v1/assets,application/*,200",
    "/v1/assets,Application/Json,200",
    "/openapi.yaml,application/json,406",
    "/openapi.yaml,application/yaml,200",
    "/openapi.yaml,*/*,200"
  })
  void answersOnlyWhatIsAccepted(String address, String accept, int status) {
    Answer answer =
        server.send(HttpRequest.newBuilder(server.uri(address)).header("Accept", accept));
    if (status == 406) {
      answer.problem(406, "not_acceptable");
    } else {
      assertThat(answer.status()).isEqualTo(200);
    }
  }
}
