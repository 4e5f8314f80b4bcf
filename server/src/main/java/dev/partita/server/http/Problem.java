package dev.partita.server.http;

import dev.partita.UnavailableException;
import dev.partita.json.JsonDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A problem as RFC 9457 defines it: what a client gets instead of an answer. Of type {@code
 * about:blank}; what happened is told by {@code code}, which is stable. Immutable; each method
 * answers a changed copy.
 */
public final class Problem {

  /** The media type of problems. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private final int status;
  private final String code;
  private final String detail;
  private final List<Member> members;
  private final List<Response.Header> headers;

  /** A member beside those that every problem has. */
  private record Member(String name, Consumer<JsonGenerator> value) {}

  private Problem(
      int status, String code, String detail, List<Member> members, List<Response.Header> headers) {
    this.status = status;
    this.code = Objects.requireNonNull(code, "code");
    this.detail = Objects.requireNonNull(detail, "detail");
    this.members = List.copyOf(members);
    this.headers = List.copyOf(headers);
  }

  /**
   * A problem.
   *
   * @param status the HTTP status
   * @param code a stable word to match on
   * @param detail a sentence for a developer: what is wrong, and what to do
   */
  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, List.of(), List.of());
  }

  /** Blames a value of the body, by its JSON pointer. */
  public Problem pointer(String pointer) {
    return member("pointer", pointer);
  }

  /** Blames a parameter of the query or path, by its name. */
  public Problem parameter(String name) {
    return member("parameter", name);
  }

  /** Says why the ledger has no answer and whether anything may have been recorded. */
  public Problem unavailable(
      UnavailableException.Reason reason, UnavailableException.Outcome outcome) {
    return member("outcome", outcome.name()).member("reason", reason.name());
  }

  /** Adds a text. */
  public Problem member(String name, String value) {
    return member(name, out -> out.writeString(value));
  }

  /** Adds a value. */
  public Problem member(String name, Consumer<JsonGenerator> value) {
    List<Member> more = new ArrayList<>(members);
    more.add(new Member(name, value));
    return new Problem(status, code, detail, more, headers);
  }

  /** Adds a header to the response. */
  public Problem header(String name, String value) {
    List<Response.Header> more = new ArrayList<>(headers);
    more.add(new Response.Header(name, value));
    return new Problem(status, code, detail, members, more);
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The stable word. */
  public String code() {
    return code;
  }

  /** The sentence. */
  public String detail() {
    return detail;
  }

  /** The response, written in whole already, so that sending it cannot fail half-way. */
  public Response response(String requestId) {
    byte[] document = JsonDocuments.bytes(out -> write(out, requestId));
    Response response = Response.of(status, MEDIA_TYPE, out -> out.write(document));
    for (Response.Header header : headers) {
      response = response.header(header.name(), header.value());
    }
    return response;
  }

  /** Writes the problem as one object; {@code requestId} is left out if null. */
  public void write(JsonGenerator out, @Nullable String requestId) {
    out.writeStartObject();
    out.writeStringProperty("type", "about:blank");
    out.writeStringProperty("title", title(status));
    out.writeNumberProperty("status", status);
    out.writeStringProperty("code", code);
    out.writeStringProperty("detail", detail);
    for (Member member : members) {
      out.writeName(member.name());
      member.value().accept(out);
    }
    if (requestId != null) {
      out.writeStringProperty("requestId", requestId);
    }
    out.writeEndObject();
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 408 -> "Request Timeout";
      case 409 -> "Conflict";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 415 -> "Unsupported Media Type";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 503 -> "Service Unavailable";
      case 505 -> "HTTP Version Not Supported";
      default -> "HTTP " + status;
    };
  }
}
