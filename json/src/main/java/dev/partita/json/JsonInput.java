package dev.partita.json;

import dev.partita.MisuseException;
import dev.partita.Page;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON document being read from the front. Lists are read element by element; only an element is
 * ever in memory as a tree. One thread, one document.
 */
final class JsonInput {

  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxNestingDepth(JsonReader.DEPTH_MAX)
          .maxStringLength(1 << 20)
          .maxNameLength(1_024)
          .maxNumberLength(64)
          .build();
  private static final JsonMapper JSON =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(BOUNDS).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          // Looked for here, after the last element of a list too.
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonParser parser;

  private JsonInput(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads a document: one object, and nothing after it. */
  static <T> T read(InputStream in, long bytesMax, Function<JsonInput, T> content) {
    try (JsonParser parser = parser(in, bytesMax)) {
      try {
        if (parser.nextToken() == null) {
          throw new JsonProblemException(
              JsonProblemException.INVALID_JSON, "", "the document is empty; send a JSON object");
        }
        T value = content.apply(new JsonInput(parser));
        if (parser.nextToken() != null) {
          throw new JsonProblemException(
              JsonProblemException.INVALID_JSON, "", "something follows the document" + at(parser));
        }
        return value;
      } catch (JacksonIOException e) {
        throw failure(e);
      } catch (JacksonException e) {
        throw problem(e, parser);
      }
    }
  }

  private static JsonParser parser(InputStream in, long bytesMax) {
    try {
      return JSON.createParser(new BoundedInput(in, bytesMax));
    } catch (JacksonIOException e) {
      throw failure(e);
    }
  }

  /** Reads a document whole: for those of bounded size. */
  static <T> T readWhole(InputStream in, long bytesMax, Function<StrictObject, T> value) {
    return read(in, bytesMax, input -> value.apply(input.object()));
  }

  /** The object that begins here, as a tree. */
  StrictObject object() {
    String pointer = pointer();
    return new StrictObject(pointer, tree());
  }

  /** The elements of the array that begins here. */
  <T> List<T> elements(int max, Function<JsonInput, T> element) {
    String pointer = pointer();
    require(JsonToken.START_ARRAY, "an array");
    List<T> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (elements.size() == max) {
        throw new JsonProblemException(
            JsonProblemException.INVALID_VALUE,
            pointer,
            "has more than " + max + " elements; split it");
      }
      elements.add(element.apply(this));
    }
    return elements;
  }

  /** A document that is a list under a name. */
  <T> List<T> list(String name, int max, Function<StrictObject, T> element) {
    if (!name.equals(enter())) {
      throw missing(name);
    }
    List<T> elements = elements(max, input -> element.apply(input.object()));
    leave();
    return elements;
  }

  /** A document that is a list of texts under a name. */
  <T> List<T> texts(String name, int max, Function<String, T> element) {
    if (!name.equals(enter())) {
      throw missing(name);
    }
    List<T> elements = elements(max, input -> input.text(element));
    leave();
    return elements;
  }

  /** The text that stands here, as a value. */
  <T> T text(Function<String, T> value) {
    require(JsonToken.VALUE_STRING, "a text; write it in quotes");
    try {
      return value.apply(parser.getString());
    } catch (MisuseException e) {
      throw StrictObject.refused(e, pointer());
    }
  }

  /** A document that is a page under a name; its elements may come before or after its cursor. */
  <T> Page<T> page(String name, Function<StrictObject, T> element) {
    List<T> items = null;
    String next = null;
    for (String field = enter(); field != null; field = nextName()) {
      if (field.equals(name)) {
        items = elements(Page.LIMIT_MAX, input -> element.apply(input.object()));
      } else if (field.equals("next")) {
        require(JsonToken.VALUE_STRING, "a text");
        next = parser.getString();
      } else {
        throw unknown();
      }
    }
    if (items == null) {
      throw missing(name);
    }
    return new Page<>(items, next);
  }

  /**
   * Steps into the object that begins here, onto the value of its first field.
   *
   * @return the field's name, or null if the object is empty and left again
   */
  @Nullable String enter() {
    require(JsonToken.START_OBJECT, "an object");
    return nextName();
  }

  /** Steps onto the value of the next field, or out of the object, which answers null. */
  @Nullable String nextName() {
    if (parser.nextToken() != JsonToken.PROPERTY_NAME) {
      return null;
    }
    String name = parser.currentName();
    parser.nextToken();
    return name;
  }

  /** Steps out of an object that has no further fields. */
  void leave() {
    if (nextName() != null) {
      throw unknown();
    }
  }

  /**
   * The object just entered, as a tree of all its fields.
   *
   * @param firstName what {@link #enter} answered
   * @param pointer the object's place
   */
  StrictObject objectFrom(@Nullable String firstName, String pointer) {
    ObjectNode node = JSON.createObjectNode();
    for (String name = firstName; name != null; name = nextName()) {
      node.set(name, tree());
    }
    return new StrictObject(pointer, node);
  }

  private JsonNode tree() {
    return JSON.readTree(parser);
  }

  /** JSON pointer of the value that begins here. */
  String pointer() {
    return parser.streamReadContext().pathAsPointer().toString();
  }

  /** The field that the parser stands on is not known. */
  JsonProblemException unknown() {
    return new JsonProblemException(
        JsonProblemException.UNKNOWN_FIELD, pointer(), "there is no such field; correct its name");
  }

  static JsonProblemException missing(String name) {
    return new JsonProblemException(
        JsonProblemException.MISSING_FIELD, "/" + name, "is missing, and comes first");
  }

  private void require(JsonToken token, String what) {
    if (parser.currentToken() != token) {
      throw new JsonProblemException(JsonProblemException.WRONG_TYPE, pointer(), "must be " + what);
    }
  }

  /** A stream that failed; but bytes that are no text are the document's fault. */
  private static RuntimeException failure(JacksonIOException e) {
    IOException cause = e.getCause();
    return cause instanceof CharConversionException
        ? new JsonProblemException(
            JsonProblemException.INVALID_JSON, "", "this is not UTF-8: " + cause.getMessage(), e)
        : new UncheckedIOException(cause);
  }

  private static JsonProblemException problem(JacksonException e, JsonParser parser) {
    String pointer = parser.streamReadContext().pathAsPointer().toString();
    if (e instanceof StreamConstraintsException) {
      return parser.streamReadContext().getNestingDepth() >= JsonReader.DEPTH_MAX
          ? new JsonProblemException(
              JsonProblemException.TOO_DEEP,
              pointer,
              "objects and arrays are nested deeper than " + JsonReader.DEPTH_MAX,
              e)
          : new JsonProblemException(
              JsonProblemException.TOO_LARGE, pointer, "this text or number is too long", e);
    }
    String message = String.valueOf(e.getOriginalMessage());
    // Jackson has no type of its own for it; a test notices if it words this differently.
    if (message.startsWith("Duplicate Object property")) {
      return new JsonProblemException(
          JsonProblemException.DUPLICATE_KEY, pointer, "is there twice in one object", e);
    }
    return new JsonProblemException(
        JsonProblemException.INVALID_JSON, "", "this is not JSON: " + message + at(parser), e);
  }

  private static String at(JsonParser parser) {
    TokenStreamLocation location = parser.currentLocation();
    return " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }
}
