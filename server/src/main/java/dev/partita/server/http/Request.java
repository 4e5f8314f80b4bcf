package dev.partita.server.http;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request as a transport read it. Nothing in it is decoded or trusted yet.
 *
 * @param method in capitals, such as {@code GET}
 * @param path the path as sent, percent-encoding and all, beginning with {@code /}
 * @param query the query as sent, without its {@code ?}; null if there is none
 * @param headers all values of a header, by its name in any case; empty if it was not sent
 * @param remote the address that it came from
 * @param body the body, read at most once. Fails with a {@link ProblemException} if it is longer
 *     than the transport's limit or ends before its announced length
 */
public record Request(
    String method,
    String path,
    @Nullable String query,
    Function<String, List<String>> headers,
    String remote,
    InputStream body) {

  /** Checks presence. */
  public Request {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(remote, "remote");
    Objects.requireNonNull(body, "body");
  }

  /** The first value of a header. */
  public Optional<String> header(String name) {
    return headers.apply(name).stream().findFirst();
  }
}
