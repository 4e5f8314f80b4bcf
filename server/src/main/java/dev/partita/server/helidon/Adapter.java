package dev.partita.server.helidon;

import dev.partita.server.http.HttpHandler;
import dev.partita.server.http.HttpHandler.ConnectionLostException;
import dev.partita.server.http.Request;
import dev.partita.server.http.RequestIds;
import dev.partita.server.http.Response;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;

/** Gives requests to the handler and sends its responses. */
final class Adapter implements Handler {

  private static final Logger LOGGER = System.getLogger(Adapter.class.getName());

  private final HttpHandler handler;

  private final BodyWatch watch;

  Adapter(HttpHandler handler, BodyWatch watch) {
    this.handler = handler;
    this.watch = watch;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    try {
      handler.handle(translate(request), answer -> send(request, response, answer));
    } catch (ConnectionLostException e) {
      // As the server threw it: it knows which of its own exceptions mean a lost connection.
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    if (response.isSent() && isLast(request, response)) {
      // Helidon says so to the client but goes on reading, and what is left of a body that was
      // refused would be taken for the next request.
      throw new CloseConnectionException("the last response of this connection was sent");
    }
  }

  private static boolean isLast(ServerRequest request, ServerResponse response) {
    return request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
        || response.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  private Request translate(ServerRequest request) {
    String query = request.prologue().query().rawValue();
    return new Request(
        request.prologue().method().text(),
        request.prologue().uriPath().rawPath(),
        query.isEmpty() ? null : query,
        name -> request.headers().all(HeaderNames.create(name), List::of),
        remote(request),
        new RequestBody(request.content(), watch));
  }

  /** The address alone: its port says nothing. */
  private static String remote(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress socket
        ? socket.getAddress().getHostAddress()
        : request.remotePeer().host();
  }

  private void send(ServerRequest request, ServerResponse response, Response answer) {
    response.headers().clear();
    response.status(Status.create(answer.status()));
    for (Response.Header header : answer.headers()) {
      response.header(header.name(), header.value());
    }
    if (request.prologue().method().equals(Method.HEAD)) {
      response.headers().contentLength(length(answer));
      sendNothing(response);
    } else {
      sendBody(response, answer);
    }
  }

  private void sendBody(ServerResponse response, Response answer) {
    ResponseBody body = new ResponseBody(response, watch, answer.body() instanceof Response.Stream);
    try {
      write(answer, body);
    } catch (ConnectionLostException e) {
      throw e;
    } catch (RuntimeException e) {
      if (body.isSending()) {
        LOGGER.log(
            Level.WARNING,
            "the answer to request " + id(answer) + " failed half-way; its connection is cut",
            e);
        throw ResponseBody.cut(e);
      }
      throw e;
    }
    body.finish();
  }

  private static String id(Response answer) {
    return answer.headers().stream()
        .filter(header -> header.name().equals(RequestIds.HEADER))
        .findFirst()
        .map(Response.Header::value)
        .orElse("?");
  }

  private static void sendNothing(ServerResponse response) {
    try {
      response.send();
    } catch (RuntimeException e) {
      throw new ConnectionLostException(e);
    }
  }

  private static long length(Response answer) {
    long[] length = {0};
    write(
        answer,
        new OutputStream() {
          @Override
          public void write(int b) {
            length[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int count) {
            length[0] += count;
          }
        });
    return length[0];
  }

  private static void write(Response answer, OutputStream out) {
    try {
      answer.body().writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
