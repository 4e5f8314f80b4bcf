package dev.partita.server.http;

import dev.partita.Ids;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Names of requests: the caller's own if it sends one that is fit to be logged, else a new one. */
public final class RequestIds {

  /** The header that carries them, both ways. */
  public static final String HEADER = "X-Request-Id";

  private static final Pattern FIT = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private RequestIds() {}

  static String of(Request request) {
    return request
        .header(HEADER)
        .filter(id -> FIT.matcher(id).matches())
        .orElseGet(RequestIds::fresh);
  }

  static String fresh() {
    return Ids.timeOrdered(Instant.now(), ThreadLocalRandom.current()).toString();
  }
}
