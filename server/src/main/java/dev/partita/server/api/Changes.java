package dev.partita.server.api;

import static dev.partita.server.api.Forms.AMOUNTS;
import static dev.partita.server.api.Paging.CURSOR;
import static dev.partita.server.api.Paging.LIMIT;

import dev.partita.HistoryChangedException;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.json.JsonWriter;
import dev.partita.server.http.Access;
import dev.partita.server.http.Admission;
import dev.partita.server.http.Call;
import dev.partita.server.http.Problem;
import dev.partita.server.http.ProblemException;
import dev.partita.server.http.Query;
import dev.partita.server.http.Response;
import dev.partita.server.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The change feed, as pages or as a stream of Server-Sent Events. Each stream keeps one page in
 * memory and writes it before it reads the next, so a client that reads slowly is waited for; one
 * that does not take a write for as long as a connection may be silent is cut off.
 */
final class Changes implements AutoCloseable {

  /** The media type of Server-Sent Events. */
  static final String EVENT_STREAM = "text/event-stream";

  /** Streams at once; each takes a connection, and a page in memory. */
  static final int STREAMS_MAX = 64;

  private static final String JSON = "application/json";
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  /**
   * How often the ledger is asked for all streams that wait: it bounds what they add to latency.
   */
  private static final Duration ASKING_INTERVAL = Duration.ofMillis(100);

  /** Streams see within moments that they are to end, unless their client does not read. */
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final Forms forms;
  private final FeedWatch watch;
  private final Semaphore places = new Semaphore(STREAMS_MAX);

  Changes(Ledger ledger, Forms forms) {
    this.ledger = ledger;
    this.forms = forms;
    this.watch = new FeedWatch(ledger, ASKING_INTERVAL);
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/changes", this::changes)
            .access(Access.READ)
            .parameters(CURSOR, LIMIT, AMOUNTS)
            .produces(JSON + ", " + EVENT_STREAM));
  }

  private Response changes(Call call) {
    Query query = call.query();
    JsonWriter writer = forms.of(call).writer();
    if (!call.names(EVENT_STREAM)) {
      return Answers.page(
          "events", ledger.feed(query.text(CURSOR), Paging.limit(query)), writer::write);
    }
    if (query.has(LIMIT)) {
      throw Query.bad("invalid_parameter", LIMIT, "is for pages; a stream has no end");
    }
    if (call.request().method().equals("HEAD")) {
      return Response.of(200, EVENT_STREAM, out -> {});
    }
    String last = call.request().header(LAST_EVENT_ID).filter(id -> !id.isEmpty()).orElse(null);
    String cursor = last == null ? query.text(CURSOR) : last;
    Response.Stream stream = out -> stream(new EventStream(out, writer), cursor, last != null);
    // Proxies that gather what they pass on would hold events back.
    return Response.of(200, EVENT_STREAM, stream).header("X-Accel-Buffering", "no");
  }

  private void stream(EventStream events, @Nullable String cursor, boolean fromHeader) {
    if (watch.isClosed()) {
      throw new ProblemException(Admission.stoppingProblem());
    }
    if (!places.tryAcquire()) {
      throw new ProblemException(
          Problem.of(
                  429,
                  "too_many_streams",
                  "this server feeds "
                      + STREAMS_MAX
                      + " streams already; end one, or read pages instead")
              .header("Retry-After", "5"));
    }
    try {
      events.run(ledger, watch, cursor);
    } catch (MisuseException e) {
      if (!fromHeader || e instanceof HistoryChangedException) {
        throw e;
      }
      throw new ProblemException(
          Problem.of(400, "invalid_header", LAST_EVENT_ID + ": " + e.detail()));
    } finally {
      places.release();
    }
  }

  /** Ends all streams, and lets none begin. */
  @Override
  public void close() {
    watch.close();
    try {
      if (places.tryAcquire(STREAMS_MAX, CLOSE_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        places.release(STREAMS_MAX);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
