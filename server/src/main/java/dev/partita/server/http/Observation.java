package dev.partita.server.http;

import dev.partita.server.http.HttpHandler.ConnectionLostException;
import dev.partita.server.http.HttpHandler.Sender;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is noted of one request while it is worked on. For the request's own thread. */
public final class Observation {

  /** Why a request was not let in. */
  public enum Rejection {
    /** It was. */
    NONE,
    /** The server works on as many as it may. */
    BUSY,
    /** The server is stopping. */
    STOPPING
  }

  private final Instant beganAt = Instant.now();
  private final long beganNanos = System.nanoTime();
  private final String id;
  private final Request request;
  private final Counted in;
  private @Nullable String route;
  private @Nullable String keyName;
  private @Nullable String problem;
  private Rejection rejection = Rejection.NONE;
  private int status;
  private long bytesOut;
  private long tookNanos;

  Observation(Request received, String id) {
    this.id = id;
    this.in = new Counted(received.body());
    this.request =
        new Request(
            received.method(),
            received.path(),
            received.query(),
            received.headers(),
            received.remote(),
            in);
  }

  /** The request, whose body is counted while it is read. */
  Request request() {
    return request;
  }

  /** A sender that notes what it sends. */
  Sender watching(Sender sender) {
    return response -> {
      status = response.status();
      boolean head = request.method().equals("HEAD");
      try {
        sender.send(
            response.body(body -> out -> body.writeTo(new CountedOut(out, n -> bytesOut += n))));
      } catch (ConnectionLostException e) {
        problem = "connection_lost";
        throw e;
      } finally {
        if (head) {
          bytesOut = 0;
        }
      }
    };
  }

  /** Its route was found. */
  void found(Route found) {
    route = found.path();
  }

  /** It was made with this API key. */
  void madeWith(String nameOfKey) {
    keyName = nameOfKey;
  }

  /** It is answered with a problem. */
  void failed(String code) {
    problem = code;
  }

  /** It was not let in. */
  void rejected(boolean stopping) {
    rejection = stopping ? Rejection.STOPPING : Rejection.BUSY;
  }

  Observation ended() {
    tookNanos = System.nanoTime() - beganNanos;
    return this;
  }

  /** When it began. */
  public Instant beganAt() {
    return beganAt;
  }

  /** How long it took. */
  public long tookNanos() {
    return tookNanos;
  }

  /** Names it in the log, in problems and in the answer's header. */
  public String id() {
    return id;
  }

  /** Its method, as it was sent. */
  public String method() {
    return request.method();
  }

  /** Its path, as it was sent. Its query is nobody's business. */
  public String path() {
    return request.path();
  }

  /** The template of its route; null if it found none. */
  public @Nullable String route() {
    return route;
  }

  /** The status of its answer; 0 if there was none. */
  public int status() {
    return status;
  }

  /** Bytes of its body that were read. */
  public long bytesIn() {
    return in.count();
  }

  /** Bytes of its answer's body. */
  public long bytesOut() {
    return bytesOut;
  }

  /** The address that it came from: a proxy's, if there is one between. */
  public String remote() {
    return request.remote();
  }

  /** The name of the API key that it was made with; null if there was none. */
  public @Nullable String keyName() {
    return keyName;
  }

  /** The code of the problem that it was answered with; null if it was none. */
  public @Nullable String problem() {
    return problem;
  }

  /** Whether it was not let in, and why. */
  public Rejection rejection() {
    return rejection;
  }
}
