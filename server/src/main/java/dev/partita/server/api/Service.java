package dev.partita.server.api;

import dev.partita.Ledger;
import dev.partita.LedgerException;
import dev.partita.server.http.Access;
import dev.partita.server.http.Admission;
import dev.partita.server.http.Call;
import dev.partita.server.http.Failures;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What the server says about itself. */
final class Service {

  /** The media type of RFC 9512. */
  private static final String YAML = "application/yaml";

  private final Ledger ledger;
  private final String version;
  private final Admission admission;
  private final byte[] document = document();

  Service(Ledger ledger, String version, Admission admission) {
    this.ledger = ledger;
    this.version = version;
    this.admission = admission;
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

  /** Says only that this process answers: restarting it would help nobody. */
  private Response live(Call call) {
    return up();
  }

  /** Says whether requests should come here: not while stopping or without the ledger. */
  private Response ready(Call call) {
    if (admission.isStopping()) {
      throw new ProblemException(Admission.stoppingProblem());
    }
    try {
      ledger.assets();
    } catch (LedgerException e) {
      // Asked every few seconds: told to whoever asks, not to the log.
      throw new ProblemException(Failures.problem(e, Set.of()));
    }
    return up();
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
