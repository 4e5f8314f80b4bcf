package dev.partita.json;

import dev.partita.MisuseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON object whose every field has to be asked for: what nobody asks for is a problem. */
final class StrictObject {

  private final String pointer;
  private final ObjectNode node;
  private final Set<String> asked = new HashSet<>();

  StrictObject(String pointer, JsonNode node) {
    if (!(node instanceof ObjectNode object)) {
      throw new JsonProblemException(JsonProblemException.WRONG_TYPE, pointer, "must be an object");
    }
    this.pointer = pointer;
    this.node = object;
  }

  /**
   * A value made of this object's fields, all of which the supplier asks for.
   *
   * @throws JsonProblemException if a field was not asked for, or for what the domain refuses
   */
  <T> T make(Supplier<T> value) {
    T made;
    try {
      made = value.get();
    } catch (MisuseException e) {
      // A misspelled name is the likelier cause, and then the better answer.
      end();
      throw refused(e, pointerOf(e.field()));
    } catch (ArithmeticException e) {
      throw new JsonProblemException(
          JsonProblemException.INVALID_VALUE, pointer, "these amounts do not fit together", e);
    }
    end();
    return made;
  }

  /** Whether the field is there; a field that may be there counts as asked for. */
  boolean has(String field) {
    return read(field) != null;
  }

  /** Whether the field is there and null. */
  boolean isNull(String field) {
    JsonNode value = read(field);
    return value != null && value.isNull();
  }

  boolean isObject(String field) {
    return node.get(field) instanceof ObjectNode;
  }

  String text(String field) {
    String value = textOrNull(field);
    if (value == null) {
      throw missing(field);
    }
    return value;
  }

  @Nullable String textOrNull(String field) {
    JsonNode value = read(field);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw wrongType(field, "a text; write it in quotes");
    }
    return value.stringValue();
  }

  <T> T value(String field, Function<String, T> parser) {
    return parse(field, text(field), parser);
  }

  <T> @Nullable T valueOrNull(String field, Function<String, T> parser) {
    String text = textOrNull(field);
    return text == null ? null : parse(field, text, parser);
  }

  long whole(String field, long min, long max) {
    JsonNode value = read(field);
    if (value == null) {
      throw missing(field);
    }
    if (!value.isIntegralNumber()) {
      throw wrongType(field, "a whole number");
    }
    if (!value.canConvertToLong() || value.longValue() < min || value.longValue() > max) {
      throw invalid(field, "must be a whole number from " + min + " to " + max);
    }
    return value.longValue();
  }

  int wholeInt(String field, int min, int max) {
    return (int) whole(field, min, max);
  }

  @Nullable Integer wholeIntOrNull(String field, int min, int max) {
    return has(field) ? (Integer) wholeInt(field, min, max) : null;
  }

  boolean flag(String field) {
    JsonNode value = read(field);
    if (value == null) {
      throw missing(field);
    }
    if (!value.isBoolean()) {
      throw wrongType(field, "true or false");
    }
    return value.booleanValue();
  }

  <E extends Enum<E>> E choice(String field, Class<E> type) {
    String value = text(field);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw invalid(field, "must be one of " + List.of(type.getEnumConstants()));
  }

  <E extends Enum<E>> @Nullable E choiceOrNull(String field, Class<E> type) {
    return has(field) ? choice(field, type) : null;
  }

  StrictObject object(String field) {
    JsonNode value = read(field);
    if (value == null) {
      throw missing(field);
    }
    return new StrictObject(pointerTo(field), value);
  }

  @Nullable StrictObject objectOrNull(String field) {
    return has(field) ? object(field) : null;
  }

  <T> List<T> objects(String field, Function<StrictObject, T> element) {
    List<T> elements = new ArrayList<>();
    ArrayNode array = array(field);
    for (int i = 0; i < array.size(); i++) {
      elements.add(element.apply(new StrictObject(pointerTo(field) + "/" + i, array.get(i))));
    }
    return elements;
  }

  /** Texts by name; none if the field is not there. */
  Map<String, String> texts(String field) {
    if (!has(field)) {
      return Map.of();
    }
    StrictObject object = object(field);
    Map<String, String> texts = new HashMap<>();
    for (String key : object.node.propertyNames()) {
      texts.put(key, object.text(key));
    }
    return texts;
  }

  /** A field that follows from others: it need not be there, but it must not contradict them. */
  void follows(String field, String expected) {
    String value = textOrNull(field);
    if (value != null && !value.equals(expected)) {
      throw invalid(field, "contradicts the fields beside it, which make it " + expected);
    }
  }

  /** As {@link #follows(String, String)}. */
  void follows(String field, boolean expected) {
    if (has(field) && flag(field) != expected) {
      throw invalid(field, "contradicts the fields beside it, which make it " + expected);
    }
  }

  JsonProblemException missing(String field) {
    return new JsonProblemException(
        JsonProblemException.MISSING_FIELD, pointerTo(field), "is missing");
  }

  JsonProblemException invalid(String field, String sentence) {
    return new JsonProblemException(JsonProblemException.INVALID_VALUE, pointerTo(field), sentence);
  }

  /** What the domain says against a value, as a problem of the document. */
  static JsonProblemException refused(MisuseException e, String pointer) {
    return new JsonProblemException(JsonProblemException.INVALID_VALUE, pointer, e.detail(), e);
  }

  private <T> T parse(String field, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (MisuseException e) {
      boolean aboutItsAsset = "asset".equals(e.field()) && has("asset");
      throw refused(e, pointerTo(aboutItsAsset ? "asset" : field));
    }
  }

  private ArrayNode array(String field) {
    JsonNode value = read(field);
    if (value == null) {
      throw missing(field);
    }
    if (!(value instanceof ArrayNode array)) {
      throw wrongType(field, "an array");
    }
    return array;
  }

  private void end() {
    for (String field : node.propertyNames()) {
      if (!asked.contains(field)) {
        throw new JsonProblemException(
            JsonProblemException.UNKNOWN_FIELD,
            pointerTo(field),
            "there is no such field; correct its name");
      }
    }
  }

  private @Nullable JsonNode read(String field) {
    asked.add(field);
    return node.get(field);
  }

  private JsonProblemException wrongType(String field, String what) {
    return new JsonProblemException(
        JsonProblemException.WRONG_TYPE, pointerTo(field), "must be " + what);
  }

  /** Where the field of a refusal stands; the domain calls a hold's time-out by a shorter name. */
  private String pointerOf(@Nullable String field) {
    if (field == null) {
      return pointer;
    }
    String name = field.equals("timeout") ? "timeoutSeconds" : field;
    return asked.contains(name) ? pointerTo(name) : pointer;
  }

  private String pointerTo(String field) {
    return pointer + "/" + field.replace("~", "~0").replace("/", "~1");
  }
}
