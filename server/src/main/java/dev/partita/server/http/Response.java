package dev.partita.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A response to be sent. Immutable.
 *
 * @param status the HTTP status
 * @param headers in order; no name twice
 * @param body writes the body, called at most once
 */
public record Response(int status, List<Header> headers, Body body) {

  private static final Body EMPTY = out -> {};

  /** A header of a response. */
  public record Header(String name, String value) {

    /** Checks presence. */
    public Header {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
    }
  }

  /** Writes a body. */
  @FunctionalInterface
  public interface Body {

    /** Writes all of it; the transport closes the stream. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a body that goes on for as long as the client listens. What it flushes is sent at once.
   * While it is sent the request does not count among those worked on, and stopping the server does
   * not wait for it: whoever makes it bounds how many there are, and ends them.
   */
  @FunctionalInterface
  public interface Stream extends Body {}

  /** Takes a copy. */
  public Response {
    headers = List.copyOf(headers);
    Objects.requireNonNull(body, "body");
  }

  /** A response with a body of this media type. */
  public static Response of(int status, String contentType, Body body) {
    return new Response(status, List.of(new Header("Content-Type", contentType)), body);
  }

  /** A response without a body. */
  public static Response empty(int status) {
    return new Response(status, List.of(), EMPTY);
  }

  /** This response with one more header. */
  public Response header(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Response(status, more, body);
  }

  /** This response with another body made of its own, a stream where its own is one. */
  Response body(UnaryOperator<Body> change) {
    Body changed = change.apply(body);
    return new Response(
        status, headers, body instanceof Stream ? (Stream) changed::writeTo : changed);
  }
}
