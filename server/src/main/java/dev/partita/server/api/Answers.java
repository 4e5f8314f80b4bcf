package dev.partita.server.api;

import dev.partita.Page;
import dev.partita.json.JsonDocuments;
import dev.partita.server.http.Response;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Responses of JSON, written while they are sent. */
final class Answers {

  private static final String JSON = "application/json";

  private Answers() {}

  /** A document. */
  static Response json(int status, Consumer<JsonGenerator> content) {
    return Response.of(status, JSON, out -> JsonDocuments.write(out, content));
  }

  /** An object with one array: {@code {"NAME":[…]}}. */
  static <T> Response list(String name, List<T> items, BiConsumer<JsonGenerator, T> element) {
    return json(
        200,
        out -> {
          out.writeStartObject();
          out.writeArrayPropertyStart(name);
          for (T item : items) {
            element.accept(out, item);
          }
          out.writeEndArray();
          out.writeEndObject();
        });
  }

  /** A page: {@code {"NAME":[…],"next":"…"}}, without next on the last one. */
  static <T> Response page(String name, Page<T> page, BiConsumer<JsonGenerator, T> element) {
    return json(
        200,
        out -> {
          out.writeStartObject();
          out.writeArrayPropertyStart(name);
          for (T item : page.items()) {
            element.accept(out, item);
          }
          out.writeEndArray();
          String next = page.next();
          if (next != null) {
            out.writeStringProperty("next", next);
          }
          out.writeEndObject();
        });
  }

  /** {@code {"status":"…","NAME":{…}}}. */
  static Response outcome(
      int httpStatus, Enum<?> status, String name, Consumer<JsonGenerator> value) {
    return json(
        httpStatus,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("status", status.name());
          out.writeName(name);
          value.accept(out);
          out.writeEndObject();
        });
  }
}
