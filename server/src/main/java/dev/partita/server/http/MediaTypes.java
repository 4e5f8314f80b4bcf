package dev.partita.server.http;

import java.util.List;
import java.util.Locale;

/** What a client sends and takes, as far as this API needs to know (RFC 9110, 8.3 and 12.5.1). */
final class MediaTypes {

  private static final String JSON = "application/json";

  private MediaTypes() {}

  /**
   * Requires a body of JSON in UTF-8.
   *
   * @throws ProblemException 415
   */
  static void requireJson(Request request) {
    List<String> sent = request.headers().apply("Content-Type");
    if (sent.size() != 1 || !isJson(sent.getFirst())) {
      throw new ProblemException(
          Problem.of(
                  415,
                  "unsupported_media_type",
                  "send the body as Content-Type: application/json, in UTF-8")
              .header("Accept-Post", JSON));
    }
  }

  /**
   * Requires that the client takes a media type.
   *
   * @param mediaTypes one, or several with commas between them, of which it must take one
   * @throws ProblemException 406
   */
  static void requireAccepted(Request request, String mediaTypes) {
    List<String> accept = request.headers().apply("Accept");
    if (accept.isEmpty()) {
      return;
    }
    for (String mediaType : mediaTypes.split(", ", -1)) {
      if (accepts(accept, mediaType)) {
        return;
      }
    }
    throw new ProblemException(
        Problem.of(
            406,
            "not_acceptable",
            "this address answers " + mediaTypes + ", which Accept excludes"));
  }

  /** Whether the client asks for a media type by its name. */
  static boolean isNamed(Request request, String mediaType) {
    for (String header : request.headers().apply("Accept")) {
      for (String range : header.split(",", -1)) {
        String[] parts = range.split(";", -1);
        if (parts[0].strip().equalsIgnoreCase(mediaType) && !isExcluded(parts)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isJson(String contentType) {
    String[] parts = contentType.split(";", -1);
    if (!parts[0].strip().equalsIgnoreCase(JSON)) {
      return false;
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        return false;
      }
    }
    return true;
  }

  /** The most specific range that matches decides, as it may exclude with q=0. */
  private static boolean accepts(List<String> headers, String mediaType) {
    String group = mediaType.substring(0, mediaType.indexOf('/')) + "/*";
    int specificity = 0;
    boolean accepted = false;
    for (String header : headers) {
      for (String range : header.split(",", -1)) {
        String[] parts = range.split(";", -1);
        String name = parts[0].strip().toLowerCase(Locale.ROOT);
        int found =
            name.equals(mediaType) ? 3 : name.equals(group) ? 2 : name.equals("*/*") ? 1 : 0;
        if (found > specificity) {
          specificity = found;
          accepted = !isExcluded(parts);
        }
      }
    }
    return accepted;
  }

  private static boolean isExcluded(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].strip().toLowerCase(Locale.ROOT).matches("q=0(\\.0*)?")) {
        return true;
      }
    }
    return false;
  }
}
