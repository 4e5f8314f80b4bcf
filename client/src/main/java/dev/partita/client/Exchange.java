package dev.partita.client;

import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.json.Amounts;
import dev.partita.json.JsonProblemException;
import dev.partita.json.JsonReader;
import dev.partita.json.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls and waits for their answers. Safe for use by any number of threads.
 *
 * <ol>
 *   <li>The caller's thread waits; an attempt runs on a virtual thread of its own, so that one
 *       deadline covers connecting, sending and reading the answer to its last byte.
 *   <li>An attempt whose connection failed is made again while patience lasts, unless the call must
 *       not be sent twice and may have been sent. An attempt that timed out is not: the server has
 *       it.
 *   <li>An interrupt does not end an attempt; it ends the pause before the next one. The thread's
 *       flag stays set.
 * </ol>
 */
final class Exchange implements AutoCloseable {

  private static final Duration PAUSE_FIRST = Duration.ofMillis(50);
  private static final int SUCCESS_FIRST = 200;
  private static final int SUCCESS_LAST = 299;
  private static final long PROBLEM_BYTES_MAX = 1 << 20;

  private final PartitaClientConfig config;
  private final HttpClient http;
  private final ExecutorService attempts = Executors.newVirtualThreadPerTaskExecutor();
  private final JsonReader problems = new JsonReader(Amounts.MINOR, PROBLEM_BYTES_MAX);
  private volatile boolean closed;

  Exchange(PartitaClientConfig config) {
    this.config = config;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // A key is for the server it was given for.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(config.connectTimeout());
    config.sslContext().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /**
   * The server's answer to a call.
   *
   * @throws UnavailableException if there is none
   */
  <T> Reply<T> reply(Call<T> call) {
    long begin = System.nanoTime();
    boolean sent = false;
    Pauses pauses = new Pauses(PAUSE_FIRST);
    while (true) {
      try {
        return attempt(call, sent);
      } catch (IOException e) {
        sent |= mayBeSent(e);
        Duration left = config.patience().minusNanos(System.nanoTime() - begin);
        Duration pause = pauses.next();
        boolean again = !(sent && call.effect() == Call.Effect.ACTS_ONCE);
        if (!again || left.compareTo(pause) < 0) {
          throw failed(call, sent, e);
        }
        pause(call, sent, pause);
      }
    }
  }

  private <T> Reply<T> attempt(Call<T> call, boolean sentBefore) throws IOException {
    if (closed) {
      throw closed(call, sentBefore);
    }
    Future<Reply<T>> attempt;
    try {
      attempt = attempts.submit(() -> exchange(call, sentBefore));
    } catch (RejectedExecutionException e) {
      throw closed(call, sentBefore);
    }
    return await(call, attempt);
  }

  private <T> Reply<T> exchange(Call<T> call, boolean sentBefore)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response = http.send(request(call), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      int status = response.statusCode();
      if (status < SUCCESS_FIRST || status > SUCCESS_LAST) {
        return new Reply.Refused<>(
            problem(response, body), sentBefore && call.effect().changesSomething());
      }
      return new Reply.Of<>(call.read(body));
    } catch (JsonProblemException e) {
      throw new UnavailableException(
          Reason.DATABASE_ERROR,
          outcome(call, true),
          "the answer to " + named(call) + " cannot be understood: " + e.getMessage(),
          e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private HttpRequest request(Call<?> call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(config.baseUri() + call.target()))
            .header("Accept", "application/json, application/problem+json");
    config.apiKey().ifPresent(key -> request.header("Authorization", "Bearer " + key));
    byte[] body = call.body();
    if (body == null) {
      return request.method(call.method(), HttpRequest.BodyPublishers.noBody()).build();
    }
    return request
        .header("Content-Type", "application/json")
        .method(call.method(), HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  /** The problem, or one made of the status if something else than the server answered. */
  private Problem problem(HttpResponse<InputStream> response, InputStream body) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (type.toLowerCase(Locale.ROOT).startsWith("application/problem+json")) {
      return problems.readProblem(body);
    }
    int status = response.statusCode();
    return Problem.of(
        status,
        "http_" + status,
        "HTTP status " + status + " without a problem; is " + config.baseUri() + " the server?");
  }

  /** Waits for an attempt, whatever interrupts come; the flag is set again afterwards. */
  private <T> Reply<T> await(Call<T> call, Future<Reply<T>> attempt) throws IOException {
    long deadline = System.nanoTime() + config.requestTimeout().toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return attempt.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      attempt.cancel(true);
      throw new UnavailableException(
          Reason.TIMED_OUT,
          outcome(call, true),
          named(call) + " was not answered within " + config.requestTimeout(),
          e);
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException rethrown(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> new IOException("the attempt was broken off", cause);
    };
  }

  private void pause(Call<?> call, boolean sent, Duration pause) {
    // Half of it at random, so that callers of a server that comes back do not come all at once.
    long nanos = pause.toNanos() / 2 + ThreadLocalRandom.current().nextLong(pause.toNanos() / 2);
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(
          Reason.WITHDRAWN,
          outcome(call, sent),
          "interrupted before " + named(call) + " was tried again",
          e);
    }
  }

  /** Whether the request may have reached the server: not if there never was a connection. */
  private static boolean mayBeSent(IOException e) {
    return !(e instanceof ConnectException || e instanceof HttpConnectTimeoutException);
  }

  private UnavailableException failed(Call<?> call, boolean sent, IOException e) {
    return new UnavailableException(
        Reason.TIMED_OUT,
        outcome(call, sent),
        sent
            ? "the connection failed during " + named(call) + ": " + e
            : "no connection to " + config.baseUri() + " for " + named(call) + ": " + e,
        e);
  }

  private UnavailableException closed(Call<?> call, boolean sent) {
    return new UnavailableException(
        Reason.CLOSED, outcome(call, sent), "this client is closed", null);
  }

  private static Outcome outcome(Call<?> call, boolean sent) {
    return sent && call.effect().changesSomething() ? Outcome.UNKNOWN : Outcome.NOT_POSTED;
  }

  private static String named(Call<?> call) {
    String target = call.target();
    int query = target.indexOf('?');
    return call.method() + " " + (query < 0 ? target : target.substring(0, query));
  }

  /** Waits for the attempts that are being made, each of which has its deadline. */
  @Override
  public void close() {
    closed = true;
    attempts.close();
    http.close();
  }
}
