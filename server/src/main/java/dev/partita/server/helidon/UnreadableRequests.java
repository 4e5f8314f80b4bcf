package dev.partita.server.helidon;

import dev.partita.server.http.HttpApi;
import dev.partita.server.http.Problem;
import dev.partita.server.http.Response;
import dev.partita.server.http.SecurityHeaders;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the server refuses before there is a request: with a problem, as everything else.
 */
final class UnreadableRequests implements DirectHandler {

  // Helidon has no status of its own for it.
  private static final String HEADER_TOO_LARGE = "Header size exceeded";

  private final SecurityHeaders headers;

  UnreadableRequests(SecurityHeaders headers) {
    this.headers = headers;
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType eventType,
      Status defaultStatus,
      ServerResponseHeaders responseHeaders,
      @Nullable String message) {
    Problem problem = problem(defaultStatus.code(), message);
    Response response = HttpApi.unreadable(problem, headers);
    TransportResponse.Builder answer =
        TransportResponse.builder()
            .status(Status.create(problem.status()))
            .headers(responseHeaders)
            .keepAlive(false)
            .entity(body(response));
    for (Response.Header header : response.headers()) {
      answer.header(HeaderNames.create(header.name()), header.value());
    }
    return answer.build();
  }

  /**
   * The problem of a request that the server refuses.
   *
   * @param message the server's reason, told only where it speaks of the request
   */
  static Problem problem(int status, @Nullable String message) {
    return switch (HEADER_TOO_LARGE.equals(message) ? 431 : status) {
      case 400 ->
          Problem.of(
              400,
              "malformed_request",
              "this is not well-formed HTTP/1.1" + (message == null ? "" : ": " + message));
      case 413 ->
          Problem.of(413, "too_large", "the body is longer than this server reads; split it");
      case 414 -> Problem.of(414, "address_too_long", "the address is longer than is read");
      case 431 -> Problem.of(431, "header_too_large", "the header is longer than is read");
      case 501 ->
          Problem.of(501, "not_implemented", "of all transfer encodings only chunked is known");
      case 505 -> Problem.of(505, "unsupported_version", "speak HTTP/1.1");
      case 503 ->
          Problem.of(503, "unavailable", "the server takes on no more; repeat a little later");
      default ->
          Problem.of(
              status, status >= 500 ? "internal" : "malformed_request", "the request failed");
    };
  }

  private static byte[] body(Response response) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      response.body().writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
