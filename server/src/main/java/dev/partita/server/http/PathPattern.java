package dev.partita.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A path with placeholders, as OpenAPI writes it: {@code /v1/accounts/{id}}. A placeholder stands
 * for one segment that is not empty.
 */
final class PathPattern {

  private final String text;
  private final List<String> segments;

  PathPattern(String text) {
    this.text = Objects.requireNonNull(text, "text");
    this.segments = List.of(text.substring(1).split("/", -1));
  }

  /** What the placeholders stand for; null if the decoded segments are another path's. */
  @Nullable Map<String, String> match(List<String> path) {
    if (path.size() != segments.size()) {
      return null;
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      String given = path.get(i);
      if (segment.startsWith("{")) {
        if (given.isEmpty()) {
          return null;
        }
        variables.put(segment.substring(1, segment.length() - 1), given);
      } else if (!segment.equals(given)) {
        return null;
      }
    }
    return variables;
  }

  @Override
  public String toString() {
    return text;
  }
}
