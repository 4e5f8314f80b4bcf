package dev.partita.json;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.json.JsonMapper;

/** Opens and closes the generators that {@link JsonWriter} writes on. */
public final class JsonDocuments {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          // A document that broke off must not look complete.
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  private JsonDocuments() {}

  /**
   * Writes one document in UTF-8 and flushes; the stream stays open.
   *
   * @throws UncheckedIOException if the stream fails
   */
  public static void write(OutputStream out, Consumer<JsonGenerator> content) {
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      content.accept(generator);
    } catch (JacksonIOException e) {
      throw new UncheckedIOException(e.getCause());
    }
  }

  /** One document in UTF-8. */
  public static byte[] bytes(Consumer<JsonGenerator> content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, content);
    return out.toByteArray();
  }
}
