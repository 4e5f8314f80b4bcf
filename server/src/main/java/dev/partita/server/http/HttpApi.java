package dev.partita.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests by routes: checks what every request has to keep to, lets it in, calls its
 * route, and makes a problem of every failure. Safe for use by any number of threads.
 */
public final class HttpApi implements HttpHandler {

  private static final Logger LOGGER = System.getLogger(HttpApi.class.getName());

  private static final String LIMIT = "limit";

  private final Router router;
  private final Admission admission;
  private final Hosts hosts;
  private final Authentication authentication;
  private final SecurityHeaders headers;
  private final int pageItemsMax;
  private final RequestObserver observer;

  /**
   * An API of these routes.
   *
   * @param pageItemsMax most items of a page, whatever a request asks for
   */
  public HttpApi(
      Router router,
      Admission admission,
      Hosts hosts,
      Authentication authentication,
      SecurityHeaders headers,
      int pageItemsMax,
      RequestObserver observer) {
    this.observer = observer;
    this.router = router;
    this.admission = admission;
    this.hosts = hosts;
    this.authentication = authentication;
    this.headers = headers;
    this.pageItemsMax = pageItemsMax;
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
      if (route.admitted()) {
        enter(seen);
        entered = true;
      }
      // Before anything of the request is looked at that could take long, such as a body.
      String keyName = authentication.admit(request, route);
      if (keyName != null) {
        seen.madeWith(keyName);
      }
      Call call = call(request, id, match, keyName);
      Response response = finished(route.handler().handle(call), id);
      if (entered && response.body() instanceof Response.Stream) {
        entered = false;
        admission.leave();
      }
      sender.send(response);
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
   * @param headers what every response of the server has
   */
  public static Response unreadable(Problem problem, SecurityHeaders headers) {
    String id = RequestIds.fresh();
    return headers.on(problem.response(id).header(RequestIds.HEADER, id));
  }

  private Call call(Request request, String id, Router.Match match, @Nullable String keyName) {
    Route route = match.route();
    Query query = Query.parse(request.query(), route.parameters());
    requirePage(query, route);
    MediaTypes.requireAccepted(request, route.produces());
    if (route.takesJson()) {
      MediaTypes.requireJson(request);
    } else if (route.method().equals("POST")) {
      requireNoBody(request);
    }
    return new Call(request, id, match.variables(), query, keyName);
  }

  private void requirePage(Query query, Route route) {
    if (route.parameters().contains(LIMIT)) {
      Integer asked = query.number(LIMIT);
      if (asked != null && asked > pageItemsMax) {
        throw Query.bad("invalid_parameter", LIMIT, "must be 1 … " + pageItemsMax + " here");
      }
    }
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
    Response guarded = headers.on(response.header(RequestIds.HEADER, id));
    return admission.isStopping() ? guarded.header("Connection", "close") : guarded;
  }
}
