package dev.partita.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The path and query of a request, being put together. For one thread. */
final class Target {

  private final StringBuilder text;
  private boolean hasQuery;

  private Target(String path) {
    text = new StringBuilder(path);
  }

  /** A path such as {@code /v1/accounts}. */
  static Target of(String path) {
    return new Target(path);
  }

  /** A segment of the path, whatever its characters. */
  Target segment(String value) {
    String encoded = encode(value);
    // Dots alone would be taken for a step in the path.
    boolean step = value.equals(".") || value.equals("..");
    text.append('/').append(step ? encoded.replace(".", "%2E") : encoded);
    return this;
  }

  /** A parameter of the query; null leaves it out. */
  Target parameter(String name, @Nullable Object value) {
    if (value != null) {
      text.append(hasQuery ? '&' : '?').append(name).append('=').append(encode(value.toString()));
      hasQuery = true;
    }
    return this;
  }

  /** The path and query, with amounts asked for in minor units. */
  Target minorAmounts() {
    return parameter("amounts", "minor");
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
