package dev.partita.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.partita.json.JsonDocuments;
import dev.partita.server.http.Observation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request as a line. No body, no header, no query: what is in them may be somebody's secret, or
 * personal.
 */
final class AccessLine {

  private static final int PATH_CHARACTERS_MAX = 1_024;
  private static final long NANOS_PER_MICRO = 1_000;

  private AccessLine() {}

  static String json(Observation request) {
    byte[] line =
        JsonDocuments.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("time", time(request).toString());
              out.writeStringProperty("id", request.id());
              out.writeStringProperty("remote", request.remote());
              String key = request.keyName();
              if (key != null) {
                out.writeStringProperty("key", key);
              }
              out.writeStringProperty("method", request.method());
              String route = request.route();
              if (route != null) {
                out.writeStringProperty("route", route);
              }
              out.writeStringProperty("path", path(request));
              out.writeNumberProperty("status", request.status());
              String problem = request.problem();
              if (problem != null) {
                out.writeStringProperty("problem", problem);
              }
              out.writeNumberProperty("bytesIn", request.bytesIn());
              out.writeNumberProperty("bytesOut", request.bytesOut());
              out.writeNumberProperty("durationMicros", micros(request));
              out.writeEndObject();
            });
    return new String(line, UTF_8) + '\n';
  }

  static String text(Observation request) {
    return time(request)
        + " "
        + request.remote()
        + " "
        + orDash(request.keyName())
        + " "
        + plain(request.method())
        + " "
        + plain(path(request))
        + " "
        + request.status()
        + " "
        + orDash(request.problem())
        + " "
        + micros(request)
        + "us in="
        + request.bytesIn()
        + " out="
        + request.bytesOut()
        + " route="
        + orDash(request.route())
        + " id="
        + request.id()
        + "\n";
  }

  private static Instant time(Observation request) {
    return request.beganAt().truncatedTo(ChronoUnit.MICROS);
  }

  private static long micros(Observation request) {
    return request.tookNanos() / NANOS_PER_MICRO;
  }

  private static String path(Observation request) {
    String path = request.path();
    return path.length() <= PATH_CHARACTERS_MAX
        ? path
        : path.substring(0, PATH_CHARACTERS_MAX) + "…";
  }

  private static String orDash(@Nullable String value) {
    return plain(Objects.requireNonNullElse(value, "-"));
  }

  /** A text with neither spaces nor line ends nor anything that a terminal obeys. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      plain.append(c <= ' ' || Character.isISOControl(c) ? '?' : c);
    }
    return plain.toString();
  }
}
