package dev.partita.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Finds the route of a request. Immutable. */
public final class Router {

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Route route, PathPattern pattern) {}

  /** The route of a request and what its placeholders stand for. */
  record Match(Route route, Map<String, String> variables) {}

  /**
   * A router of these routes; of two that match, the first.
   *
   * @throws IllegalStateException if a route does not say who may call it
   */
  public Router(List<Route> routes) {
    for (Route route : routes) {
      route.access();
      entries.add(new Entry(route, new PathPattern(route.path())));
    }
  }

  /** All routes, in order. */
  public List<Route> routes() {
    return entries.stream().map(Entry::route).toList();
  }

  /**
   * Finds the route.
   *
   * @throws ProblemException 404 if no route has the path, 405 with Allow if none of those has the
   *     method, 400 if the path is malformed
   */
  Match find(Request request) {
    List<String> path = segments(request.path());
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    TreeSet<String> allowed = new TreeSet<>();
    for (Entry entry : entries) {
      Map<String, String> variables = entry.pattern().match(path);
      if (variables != null) {
        if (entry.route().method().equals(method)) {
          return new Match(entry.route(), variables);
        }
        allowed.add(entry.route().method());
      }
    }
    if (allowed.isEmpty()) {
      throw new ProblemException(
          Problem.of(404, "not_found", "there is nothing at this address; see /openapi.yaml"));
    }
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    String methods = String.join(", ", allowed);
    throw new ProblemException(
        Problem.of(405, "method_not_allowed", "this address takes " + methods)
            .header("Allow", methods));
  }

  private static List<String> segments(String path) {
    if (!path.startsWith("/")) {
      throw new ProblemException(
          Problem.of(400, "malformed_request", "the address must begin with a slash"));
    }
    List<String> decoded = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      decoded.add(PercentText.path(segment));
    }
    return decoded;
  }
}
