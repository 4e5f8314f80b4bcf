package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.server.auth.ApiKey;
import dev.partita.server.auth.InMemoryApiKeys;
import dev.partita.server.auth.KeyRing;
import dev.partita.server.auth.PresentedKey;
import dev.partita.server.auth.Scope;
import dev.partita.server.http.Access;
import dev.partita.server.http.Route;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that needs keys: who may do what, and what is told to those who may not. */
class KeysApiTest {

  private static final String ASSETS = "{\"assets\":[{\"code\":\"EUR\"}]}";

  private final InMemoryApiKeys keys = new InMemoryApiKeys(Clock.systemUTC());
  private final Map<Scope, String> byScope = new EnumMap<>(Scope.class);
  private TestServer server;

  @BeforeEach
  void start() {
    for (Scope scope : Scope.values()) {
      byScope.put(scope, add("key-" + scope.text(), scope));
    }
    server =
        TestServer.over(
            OpenapiTest.emptyLedger(), TestServer.CONFIG.security(Security.NONE.keys(keys)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String add(String name, Scope... scopes) {
    PresentedKey key = PresentedKey.generate(new SecureRandom());
    assertThat(
            keys.add(new ApiKey(key.id(), name, Set.of(scopes), key.hash(), Instant.EPOCH, null)))
        .isPresent();
    return key.reveal();
  }

  private Answer get(String address, String authorization) {
    return server.send(
        HttpRequest.newBuilder(server.uri(address)).header("Authorization", authorization));
  }

  private Answer send(String method, String address, String key, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(address)).header("Authorization", "Bearer " + key);
    return server.send(
        body.isEmpty()
            ? request.method(method, BodyPublishers.noBody())
            : request
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
  }

  private String key(Scope scope) {
    return String.valueOf(byScope.get(scope));
  }

  /** Every route of the server, with every key there is and with none. */
  @Test
  void letsInEveryKeyWhereItMayAndNowhereElse() {
    for (Route route : OpenapiTest.routes()) {
      String address = route.path().replace("{id}", "00000000-0000-4000-8000-000000000001");
      Access access = route.access();
      Answer without =
          server.send(
              HttpRequest.newBuilder(server.uri(address))
                  .method(route.method(), BodyPublishers.noBody()));
      if (access == Access.OPEN) {
        assertThat(without.status()).as(route.path()).isEqualTo(200);
        continue;
      }
      without.problem(401, "api_key_missing");
      for (Scope scope : Scope.values()) {
        Answer answer = send(route.method(), address, key(scope), "");
        if (scope == access.scope()) {
          assertThat(answer.status()).as(route.path()).isNotIn(401, 403, 429);
        } else {
          answer.problem(403, "scope_missing");
          assertThat(answer.text("/scope"))
              .isEqualTo(access.name().toLowerCase(java.util.Locale.ROOT));
        }
      }
    }
  }

  @Test
  void everyRouteSaysWhoMayCallIt() {
    Set<String> open = new HashSet<>();
    for (Route route : OpenapiTest.routes()) {
      Access access = route.access();
      if (access == Access.OPEN) {
        open.add(route.path());
      } else if (route.method().equals("GET")) {
        assertThat(access).as(route.path()).isEqualTo(Access.READ);
      } else if (!route.path().endsWith("/lookup")) {
        assertThat(access).as(route.path()).isIn(Access.POST, Access.ADMIN);
      }
    }
    assertThat(open).containsExactlyInAnyOrder("/openapi.yaml", "/health/live", "/health/ready");
  }

  @Test
  void saysWhatIsMissing() {
    Answer missing = server.get("/v1/assets").problem(401, "api_key_missing");
    assertThat(missing.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"partita\"");
    Answer wrong = get("/v1/assets", "Bearer nothing").problem(401, "api_key_invalid");
    assertThat(wrong.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
    Answer forbidden =
        send("POST", "/v1/assets", key(Scope.READ), ASSETS).problem(403, "scope_missing");
    assertThat(forbidden.header("WWW-Authenticate"))
        .contains("error=\"insufficient_scope\"", "scope=\"admin\"");
    assertThat(forbidden.text("/detail")).contains("key-read", "admin");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "bearer,%s",
        "Bearer\t%s",
        "Bearer %s x",
        "Bearer %sx",
        "Bearer %s, Bearer %s",
        "Basic %s",
        "%s",
        "Token %s",
        "Bearer \"%s\"",
        "BearerBearer %s"
      })
  void refusesAHeaderThatIsMalformed(String authorization) {
    get("/v1/assets", authorization.replace("%s", key(Scope.READ))).problem(401, "api_key_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer %s", "bearer %s", "BEARER   %s", " Bearer %s "})
  void takesAHeaderAsTheStandardWritesIt(String authorization) {
    get("/v1/assets", authorization.replace("%s", key(Scope.READ))).ok(200);
  }

  @Test
  void refusesTwoHeadersNonAsciiAndHugeOnes() {
    String begin = "GET /v1/assets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    String header = "Authorization: Bearer " + key(Scope.READ) + "\r\n";
    assertThat(raw(begin + header + "\r\n")).startsWith("HTTP/1.1 200");
    assertThat(raw(begin + header + header + "\r\n"))
        .startsWith("HTTP/1.1 401")
        .contains("api_key_invalid");
    assertThat(raw(begin + "Authorization: Bearer \u00e9\u00ff\u00fe\r\n\r\n"))
        .matches("(?s)HTTP/1.1 40[01].*");
    assertThat(raw(begin + "Authorization: Bearer " + "a".repeat(8_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 401");
    assertThat(raw(begin + "Authorization: Bearer " + "a".repeat(30_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431");
  }

  private String raw(String text) {
    try (RawHttp connection = new RawHttp(server.server.uri())) {
      return connection.send(text).readAll();
    }
  }

  @Test
  void refusesTheRightIdWithAnotherSecretAndAnswersNothingOfEither() {
    String right = key(Scope.READ);
    String wrong = right.substring(0, 19) + key(Scope.POST).substring(19);
    Answer answer = get("/v1/assets", "Bearer " + wrong).problem(401, "api_key_invalid");
    assertThat(answer.body()).doesNotContain(wrong.substring(8, 18), wrong.substring(19));
    assertThat(answer.headers().map().toString()).doesNotContain(wrong.substring(19));
  }

  @Test
  void takesNoKeyThatWasRevokedBeforeItStarted() {
    String revoked = add("gone", Scope.READ);
    keys.revoke("gone");
    try (TestServer second =
        TestServer.over(
            OpenapiTest.emptyLedger(), TestServer.CONFIG.security(Security.NONE.keys(keys)))) {
      second
          .send(
              HttpRequest.newBuilder(second.uri("/v1/assets"))
                  .header("Authorization", "Bearer " + revoked))
          .problem(401, "api_key_invalid");
    }
    assertThat(KeyRing.VALID_FOR).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void looksAtNothingOfARequestBeforeItsKey() {
    send("POST", "/v1/transfers?unknown=1", "wrong", "{").problem(401, "api_key_invalid");
    send("POST", "/v1/transfers?unknown=1", key(Scope.READ), "{").problem(403, "scope_missing");
    send("POST", "/v1/transfers?unknown=1", key(Scope.POST), "{").problem(400, "unknown_parameter");
  }

  @Test
  void slowsDownThoseWhoGoOnFailingAndNobodyElse() {
    Answer answer = server.get("/v1/assets");
    for (int i = 0; i < 5_000 && answer.status() == 401; i++) {
      answer = server.get("/v1/assets");
    }
    answer.problem(429, "too_many_failures");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    get("/v1/assets", "Bearer " + key(Scope.READ)).ok(200);
    server.get("/health/ready").ok(200);
  }

  @Test
  void recordsTheKeyAsTheActorAndAClientsOwnBehindIt() {
    String admin = key(Scope.ADMIN);
    send("POST", "/v1/assets", admin, ASSETS).ok(200);
    send("POST", "/v1/accounts", admin, "{\"id\":\"a\",\"asset\":\"EUR\"}").ok(201);
    send("PATCH", "/v1/accounts/a", admin, "{\"closed\":true}").ok(200);
    send("PATCH", "/v1/accounts/a", admin, "{\"closed\":false,\"actor\":\"ada\"}").ok(200);
    Answer changes = send("GET", "/v1/accounts/a/changes", key(Scope.READ), "").ok(200);
    assertThat(changes.text("/changes/0/actor")).isEqualTo("key-admin");
    assertThat(changes.text("/changes/1/actor")).isEqualTo("key-admin/ada");
    String room = "x".repeat(128 - "key-admin/".length());
    send("PATCH", "/v1/accounts/a", admin, actor(room)).ok(200);
    send("PATCH", "/v1/accounts/a", admin, actor(room + "x"))
        .problem(400, "invalid_value")
        .pointer("/actor");
  }

  private static String actor(String actor) {
    return "{\"metadata\":{\"n\":\"" + actor.length() + "\"},\"actor\":\"" + actor + "\"}";
  }

  @Test
  void needsNoNameOfItsOwnWhereKeysAreNeeded() {
    assertThat(
            raw(
                "GET /v1/assets HTTP/1.1\r\nHost: ledger.example\r\nConnection: close\r\n"
                    + "Authorization: Bearer "
                    + key(Scope.READ)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void listensToNamesItWasToldAndNoOthers() {
    Security named = Security.NONE.hosts(Set.of("Ledger.example"));
    try (TestServer second =
            TestServer.over(OpenapiTest.emptyLedger(), TestServer.CONFIG.security(named));
        RawHttp known = new RawHttp(second.server.uri());
        RawHttp unknown = new RawHttp(second.server.uri())) {
      String request = "GET /v1/info HTTP/1.1\r\nConnection: close\r\nHost: ";
      assertThat(known.send(request + "ledger.EXAMPLE:443\r\n\r\n").readAll())
          .startsWith("HTTP/1.1 200");
      assertThat(unknown.send(request + "127.0.0.1\r\n\r\n").readAll()).startsWith("HTTP/1.1 421");
    }
  }

  @Test
  void keepsEveryPageToItsOwnLimit() {
    var small = TestServer.CONFIG.limits().withPageItemsMax(200);
    try (TestServer second =
        TestServer.over(OpenapiTest.emptyLedger(), TestServer.CONFIG.limits(small))) {
      second.get("/v1/accounts?limit=200").ok(200);
      second.get("/v1/accounts?limit=201").problem(400, "invalid_parameter").parameter("limit");
      second.get("/v1/accounts").ok(200);
    }
  }

  @Test
  void saysTheScopeOfEveryRouteInTheDocument() {
    assertThat(List.of(Scope.values()).stream().map(Scope::text))
        .containsExactly("read", "post", "admin");
    assertThat(server.get("/openapi.yaml").body()).contains("bearer", "scope_missing");
  }
}
