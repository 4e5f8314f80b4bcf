package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What came back. */
record Answer(int status, HttpHeaders headers, String body) {

  private static final JsonMapper JSON = new JsonMapper();

  /** The body as JSON. */
  JsonNode json() {
    return JSON.readTree(body);
  }

  /** The text at a JSON pointer. */
  String text(String pointer) {
    JsonNode node = json().at(pointer);
    assertThat(node.isString()).as("%s of %s is a text", pointer, body).isTrue();
    return node.stringValue();
  }

  JsonNode at(String pointer) {
    return json().at(pointer);
  }

  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** Requires success with this status. */
  Answer ok(int expected) {
    assertThat(status).as(body).isEqualTo(expected);
    assertThat(header("Content-Type")).isEqualTo("application/json");
    return this;
  }

  /** Requires a problem, with everything that every problem has. */
  Answer problem(int expected, String code) {
    assertThat(status).as(body).isEqualTo(expected);
    assertThat(header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(text("/type")).isEqualTo("about:blank");
    assertThat(text("/title")).isNotBlank();
    assertThat(at("/status").intValue()).isEqualTo(expected);
    assertThat(text("/code")).as(body).isEqualTo(code);
    assertThat(text("/detail")).isNotBlank();
    assertThat(text("/requestId")).isEqualTo(header("X-Request-Id"));
    return this;
  }

  /** Requires that the problem blames a value of the body. */
  Answer pointer(String expected) {
    assertThat(text("/pointer")).as(body).isEqualTo(expected);
    return this;
  }

  /** Requires that the problem blames a parameter. */
  Answer parameter(String expected) {
    assertThat(text("/parameter")).as(body).isEqualTo(expected);
    return this;
  }
}
