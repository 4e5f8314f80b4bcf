package dev.partita.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with gaps. {@code {{name}}} is replaced by a value; {@code {{?name}} … {{/name}}} is left
 * out if the value is empty. Values are put in as they are and not looked at again.
 */
record Template(String text) {

  private static final Pattern PART =
      Pattern.compile("(?s)\\{\\{\\?([a-z-]+)}}(.*?)\\{\\{/\\1}}|\\{\\{([a-z-]+)}}");

  /** One that lies beside this class. */
  static Template named(String name) {
    return new Template(resource(name));
  }

  /**
   * A text that lies beside this class, or anywhere on the class path if the name begins with /.
   */
  static String resource(String name) {
    try (InputStream in = Template.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing from the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The text with its gaps filled.
   *
   * @param values for every name that occurs
   */
  String filled(Map<String, String> values) {
    return filled(text, values);
  }

  private static String filled(String text, Map<String, String> values) {
    return PART.matcher(text)
        .replaceAll(
            found -> {
              String name = found.group(3) == null ? found.group(1) : found.group(3);
              String value = values.get(name);
              if (value == null) {
                throw new IllegalStateException("no value for " + name);
              }
              if (found.group(3) != null) {
                return Matcher.quoteReplacement(value);
              }
              String inside = value.isEmpty() ? "" : filled(found.group(2), values);
              return Matcher.quoteReplacement(inside);
            });
  }
}
