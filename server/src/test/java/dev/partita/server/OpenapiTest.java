package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Ledger;
import dev.partita.TransferStatus;
import dev.partita.UnavailableException;
import dev.partita.memory.InMemoryLedger;
import dev.partita.server.api.LedgerApi;
import dev.partita.server.auth.Scope;
import dev.partita.server.health.Health;
import dev.partita.server.health.HealthProbe;
import dev.partita.server.http.Route;
import dev.partita.server.metrics.Meters;
import dev.partita.server.metrics.MetricsRoute;
import dev.partita.testkit.ManualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document that is served names the routes that there are, and no others. */
class OpenapiTest {

  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  private TestServer server;
  private JsonNode document;

  @BeforeEach
  void read() {
    server = TestServer.overMemory();
    Answer answer = server.get("/openapi.yaml");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/yaml");
    document = new YAMLMapper().readTree(answer.body());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void namesTheRoutesOfTheServerWithTheirParameters() {
    Map<String, Set<String>> documented = new TreeMap<>();
    for (Operation operation : operations()) {
      Set<String> parameters = new TreeSet<>();
      for (JsonNode parameter : operation.node().path("parameters")) {
        JsonNode resolved = resolve(parameter);
        assertThat(resolved.path("in").stringValue()).isEqualTo("query");
        parameters.add(resolved.path("name").stringValue());
      }
      documented.put(operation.name(), parameters);
    }
    Map<String, Set<String>> served = new TreeMap<>();
    for (Route route : routes()) {
      served.put(route.method() + " " + route.path(), new TreeSet<>(route.parameters()));
    }
    assertThat(documented).isEqualTo(served);
  }

  @Test
  void saysWhichRoutesTakeABodyAndWhatTheyAnswer() {
    Map<String, Route> routes =
        routes().stream()
            .collect(Collectors.toMap(route -> route.method() + " " + route.path(), r -> r));
    for (Operation operation : operations()) {
      Route route = routes.get(operation.name());
      assertThat(operation.node().has("requestBody"))
          .as(operation.name())
          .isEqualTo(route.takesJson());
      JsonNode responses = operation.node().path("responses");
      assertThat(responses.has("default")).as(operation.name()).isTrue();
      String success = responses.has("200") ? "200" : "202";
      for (String mediaType : route.produces().split(", ", -1)) {
        assertThat(resolve(responses.path(success)).path("content").has(mediaType))
            .as(operation.name())
            .isTrue();
      }
    }
  }

  @Test
  void saysWhatEveryRouteNeeds() {
    for (Operation operation : operations()) {
      JsonNode node = operation.node();
      Route route =
          routes().stream()
              .filter(each -> (each.method() + " " + each.path()).equals(operation.name()))
              .findFirst()
              .orElseThrow();
      Scope scope = route.access().scope();
      if (scope == null) {
        assertThat(node.path("security").isEmpty()).as(operation.name()).isTrue();
        assertThat(node.has("security")).as(operation.name()).isTrue();
      } else {
        assertThat(node.has("security")).as(operation.name()).isFalse();
        assertThat(node.path("x-scope").stringValue()).as(operation.name()).isEqualTo(scope.text());
        assertThat(node.path("responses").has("401")).as(operation.name()).isTrue();
        assertThat(node.path("responses").has("403")).as(operation.name()).isTrue();
        assertThat(node.path("responses").has("429")).as(operation.name()).isTrue();
      }
    }
    assertThat(document.at("/security/0/apiKey").isArray()).isTrue();
    assertThat(document.at("/components/securitySchemes/apiKey/scheme").stringValue())
        .isEqualTo("bearer");
  }

  @Test
  void namesThePlaceholdersOfEveryPath() {
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      Set<String> names = new TreeSet<>();
      for (JsonNode parameter : path.getValue().path("parameters")) {
        names.add("{" + resolve(parameter).path("name").stringValue() + "}");
      }
      Set<String> placeholders =
          Arrays.stream(path.getKey().split("/", -1))
              .filter(segment -> segment.startsWith("{"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(names).as(path.getKey()).isEqualTo(placeholders);
    }
  }

  @Test
  void refersOnlyToWhatIsThere() {
    List<String> references = new ArrayList<>(document.findValuesAsString("$ref"));
    assertThat(references).isNotEmpty();
    for (String reference : references) {
      assertThat(document.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @Test
  void namesEveryStatusReasonAndOutcome() {
    JsonNode schemas = document.at("/components/schemas");
    assertThat(words(schemas.at("/TransferStatus/enum"))).isEqualTo(names(TransferStatus.values()));
    assertThat(words(schemas.at("/Problem/properties/reason/enum")))
        .isEqualTo(names(UnavailableException.Reason.values()));
    assertThat(words(schemas.at("/Problem/properties/outcome/enum")))
        .isEqualTo(names(UnavailableException.Outcome.values()));
  }

  /** Sent one after another, as they stand, to one ledger. */
  @Test
  void showsExamplesThatTheServerTakes() {
    for (Operation operation : operations()) {
      JsonNode content = operation.node().at("/requestBody/content/application~1json");
      List<JsonNode> examples = new ArrayList<>();
      if (content.has("example")) {
        examples.add(content.path("example"));
      }
      content.path("examples").forEach(example -> examples.add(example.path("value")));
      if (operation.node().has("requestBody")) {
        assertThat(examples).as(operation.name()).isNotEmpty();
      }
      for (JsonNode example : examples) {
        String address = operation.path().replace("{id}", "seller:42:eur");
        Answer answer =
            operation.method().equals("PATCH")
                ? server.patch(address, example.toString())
                : server.post(address, example.toString());
        assertThat(answer.status()).as(operation.name() + " " + answer.body()).isBetween(200, 201);
        assertThat(answer.body()).doesNotContain("GROUP_FAILED", "NOT_FOUND", "UNKNOWN");
      }
    }
  }

  /** An operation of the document. */
  private record Operation(String method, String path, JsonNode node) {

    String name() {
      return method + " " + path;
    }
  }

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> member : path.getValue().properties()) {
        if (METHODS.contains(member.getKey())) {
          operations.add(
              new Operation(
                  member.getKey().toUpperCase(Locale.ROOT), path.getKey(), member.getValue()));
        }
      }
    }
    return operations;
  }

  static Ledger emptyLedger() {
    return new InMemoryLedger(new ManualClock());
  }

  static List<Route> routes() {
    Ledger ledger = emptyLedger();
    try (LedgerApi api =
            new LedgerApi(ledger, "test", new Health(HealthProbe.of(ledger), () -> false), 1);
        Meters meters = new Meters()) {
      List<Route> routes = new ArrayList<>(api.routes());
      routes.add(MetricsRoute.of(meters));
      return routes;
    }
  }

  private JsonNode resolve(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").stringValue().substring(1)) : node;
  }

  private static Set<String> words(JsonNode array) {
    Set<String> words = new TreeSet<>();
    array.forEach(word -> words.add(word.stringValue()));
    return words;
  }

  private static Set<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
  }
}
