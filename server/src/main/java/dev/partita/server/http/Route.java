package dev.partita.server.http;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One method of one path. Immutable; each method answers a changed copy.
 *
 * @param method GET, POST or PATCH; a GET answers HEAD too
 * @param path as OpenAPI writes it, such as {@code /v1/accounts/{id}}
 * @param parameters names that its query may have
 * @param takesJson whether it has a body, which is JSON
 * @param produces media type of its answers; several with commas between them
 * @param admitted whether it counts among the requests worked on at once
 * @param declaredAccess who may call it; null until it is said, which a {@link Router} insists on
 * @param handler answers it
 */
public record Route(
    String method,
    String path,
    Set<String> parameters,
    boolean takesJson,
    String produces,
    boolean admitted,
    @Nullable Access declaredAccess,
    Handler handler) {

  private static final String JSON = "application/json";

  /** Answers the calls of a route, on the caller's thread. */
  @FunctionalInterface
  public interface Handler {

    /**
     * Answers one call. May throw {@link ProblemException}, {@link
     * dev.partita.json.JsonProblemException} and whatever the ledger throws.
     */
    Response handle(Call call);
  }

  /** Takes a copy. */
  public Route {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    parameters = Set.copyOf(parameters);
    Objects.requireNonNull(produces, "produces");
    Objects.requireNonNull(handler, "handler");
  }

  /** A GET that answers JSON. */
  public static Route get(String path, Handler handler) {
    return new Route("GET", path, Set.of(), false, JSON, true, null, handler);
  }

  /** A POST of JSON that answers JSON. */
  public static Route post(String path, Handler handler) {
    return new Route("POST", path, Set.of(), true, JSON, true, null, handler);
  }

  /** A PATCH of JSON that answers JSON. */
  public static Route patch(String path, Handler handler) {
    return new Route("PATCH", path, Set.of(), true, JSON, true, null, handler);
  }

  /** This route with the parameters that its query may have. */
  public Route parameters(String... names) {
    return new Route(
        method, path, Set.of(names), takesJson, produces, admitted, declaredAccess, handler);
  }

  /** This route without a body. */
  public Route withoutBody() {
    return new Route(method, path, parameters, false, produces, admitted, declaredAccess, handler);
  }

  /** This route with answers of another media type. */
  public Route produces(String mediaType) {
    return new Route(
        method, path, parameters, takesJson, mediaType, admitted, declaredAccess, handler);
  }

  /** This route answered also while the server is as busy as it may be. */
  public Route always() {
    return new Route(method, path, parameters, takesJson, produces, false, declaredAccess, handler);
  }

  /** This route for those who may. Every route says so, by this method. */
  public Route access(Access access) {
    return new Route(method, path, parameters, takesJson, produces, admitted, access, handler);
  }

  /**
   * Who may call it.
   *
   * @throws IllegalStateException if it does not say so
   */
  public Access access() {
    if (declaredAccess == null) {
      throw new IllegalStateException(
          method + " " + path + " does not say who may call it; add access(…) to its route");
    }
    return declaredAccess;
  }
}
