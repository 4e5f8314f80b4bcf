package dev.partita.cli.archive;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON object whose every field has to be asked for: what nobody asks for is an error. */
final class StrictObject {

  private final String name;
  private final ObjectNode node;
  private final Set<String> unread;

  StrictObject(String name, JsonNode node) {
    if (!(node instanceof ObjectNode object)) {
      throw new MisuseException(name, "is not an object");
    }
    this.name = name;
    this.node = object;
    this.unread = new HashSet<>(object.propertyNames());
  }

  boolean has(String field) {
    return node.has(field);
  }

  String text(String field) {
    String value = textOrNull(field);
    if (value == null) {
      throw problem(field, "is missing");
    }
    return value;
  }

  @Nullable String textOrNull(String field) {
    JsonNode value = read(field);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw problem(field, "is not a text; write it in quotes");
    }
    return value.stringValue();
  }

  long whole(String field, long min, long max) {
    JsonNode value = read(field);
    if (value == null) {
      throw problem(field, "is missing");
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < min
        || value.longValue() > max) {
      throw problem(field, "is not a whole number from " + min + " to " + max);
    }
    return value.longValue();
  }

  boolean flag(String field) {
    JsonNode value = read(field);
    if (value == null) {
      throw problem(field, "is missing");
    }
    if (!value.isBoolean()) {
      throw problem(field, "is neither true nor false");
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
    throw problem(field, Text.quote(value) + " is not known");
  }

  StrictObject object(String field) {
    JsonNode value = read(field);
    if (value == null) {
      throw problem(field, "is missing");
    }
    return new StrictObject(name + "." + field, value);
  }

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

  /** Requires that every field was read. */
  void end() {
    if (!unread.isEmpty()) {
      throw problem(unread.iterator().next(), "is not a field of " + name);
    }
  }

  private @Nullable JsonNode read(String field) {
    unread.remove(field);
    return node.get(field);
  }

  private MisuseException problem(String field, String problem) {
    return new MisuseException(name + "." + Text.visible(field), problem);
  }
}
