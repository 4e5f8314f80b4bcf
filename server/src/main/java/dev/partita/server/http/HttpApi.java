package dev.partita.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

/**
 * Answers requests by routes: checks what every request has to keep to, lets it in, calls its
 * route, and makes a problem of every failure. Safe for use by any number of threads.
 */
public final class HttpApi implements HttpHandler {

  private static final Logger LOGGER = System.getLogger(HttpApi.class.getName());

  private final Router router;
  private final Admission admission;
  private final Hosts hosts;
  private final RequestObserver observer;

  /** An API of these routes. */
  public HttpApi(Router router, Admission admission, Hosts hosts, RequestObserver observer) {
    this.observer = observer;
    this.router = router;
    this.admission = admission;
    this.hosts = hosts;
  }

  @Override
  public void handle(Request request, Sender sender) {
    Observation seen = new Observation(request, RequestIds.of(request));
    observer.began();
    try {
      answer(seen.request(), seen.watching(sender), seen);
    } finally {
      observer.ended(seen.ended());
    }
  }

  private void answer(Request request, Sender sender, Observation seen) {
    String id = seen.id();
    Set<String> parameters = Set.of();
    boolean entered = false;
    try {
      hosts.check(request);
      Router.Match match = router.find(request);
      Route route = match.route();
      seen.found(route);
      parameters = route.parameters();
      Call call = call(request, id, match);
      if (route.admitted()) {
        enter(seen);
        entered = true;
      }
      sender.send(finished(route.handler().handle(call), id));
    } catch (ConnectionLostException e) {
      throw e;
    } catch (RuntimeException e) {
      sender.send(finished(failed(e, seen, parameters), id));
    } finally {
      if (entered) {
        admission.leave();
      }
    }
  }

  /**
   * The answer to a request that a transport could not read.
   *
   * @param problem what is wrong with it
   */
  public static Response unreadable(Problem problem) {
    String id = RequestIds.fresh();
    return guarded(problem.response(id), id);
  }

  private static Call call(Request request, String id, Router.Match match) {
    Route route = match.route();
    Query query = Query.parse(request.query(), route.parameters());
    MediaTypes.requireAccepted(request, route.produces());
    if (route.takesJson()) {
      MediaTypes.requireJson(request);
    } else if (route.method().equals("POST")) {
      requireNoBody(request);
    }
    return new Call(request, id, match.variables(), query);
  }

  private static void requireNoBody(Request request) {
    try {
      if (request.body().read() >= 0) {
        throw new ProblemException(
            Problem.of(400, "unexpected_body", "this address takes no body; send none"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void enter(Observation seen) {
    try {
      admission.enter();
    } catch (ProblemException e) {
      seen.rejected(admission.isStopping());
      throw e;
    }
  }

  private static Response failed(
      RuntimeException failure, Observation seen, Set<String> parameters) {
    String id = seen.id();
    Problem problem = Failures.problem(failure, parameters);
    seen.failed(problem.code());
    if (problem.status() >= 500 && !(failure instanceof ProblemException)) {
      LOGGER.log(
          problem.status() == 503 ? Level.WARNING : Level.ERROR,
          "request " + id + " is answered with " + problem.status() + " " + problem.code(),
          failure);
    }
    return problem.response(id);
  }

  private Response finished(Response response, String id) {
    Response guarded = guarded(response, id);
    return admission.isStopping() ? guarded.header("Connection", "close") : guarded;
  }

  /** Nothing here is a page: nobody may guess its type, keep it or run it. */
  private static Response guarded(Response response, String id) {
    return response
        .header(RequestIds.HEADER, id)
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
}
