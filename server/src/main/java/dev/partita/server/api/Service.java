package dev.partita.server.api;

import dev.partita.server.health.Health;
import dev.partita.server.health.Trouble;
import dev.partita.server.http.Access;
import dev.partita.server.http.Call;
import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** What the server says about itself. */
final class Service {

  /** The media type of RFC 9512. */
  private static final String YAML = "application/yaml";

  private final String version;
  private final Health health;
  private final byte[] document = document();

  Service(String version, Health health) {
    this.version = version;
    this.health = health;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/info", this::info).access(Access.READ),
        Route.get("/openapi.yaml", this::openapi).access(Access.OPEN).produces(YAML).always(),
        Route.get("/health/live", this::live).access(Access.OPEN).always(),
        Route.get("/health/ready", this::ready).access(Access.OPEN).always());
  }

  private Response info(Call call) {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("name", "partita");
          out.writeStringProperty("version", version);
          out.writeStringProperty("api", "v1");
          out.writeEndObject();
        });
  }

  private Response openapi(Call call) {
    return Response.of(200, YAML, out -> out.write(document));
  }

  /** Says that this process answers. If not, restarting it helps: nothing else is said here. */
  private Response live(Call call) {
    return health.damage().map(trouble -> down("not_alive", trouble)).orElseGet(Service::up);
  }

  /** Says whether requests should come here, and if not, why. */
  private Response ready(Call call) {
    return health.unready().map(trouble -> down("not_ready", trouble)).orElseGet(Service::up);
  }

  private static Response down(String code, Trouble trouble) {
    throw new ProblemException(
        Problem.of(503, code, trouble.sentence()).member("cause", trouble.cause()));
  }

  private static Response up() {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("status", "UP");
          out.writeEndObject();
        });
  }

  private static byte[] document() {
    try (InputStream in = Service.class.getResourceAsStream("/dev/partita/server/openapi.yaml")) {
      return Objects.requireNonNull(in, "openapi.yaml is missing").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("openapi.yaml cannot be read", e);
    }
  }
}
