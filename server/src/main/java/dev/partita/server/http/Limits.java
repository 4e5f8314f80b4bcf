package dev.partita.server.http;

import dev.partita.MisuseException;
import java.time.Duration;
import java.util.Objects;

/**
 * What a server takes on at most. Every bound is there so that clients, hostile or broken, cost a
 * bounded amount of memory and time.
 *
 * @param bodyBytesMax longest body of a request; more is 413
 * @param headerBytesMax longest header of a request, all lines together; more is 431
 * @param requestsMax requests worked on at once; more is 429 at once. Health is asked beside it
 * @param connectionsMax open connections; more wait in the operating system's queue
 * @param idleTimeout how long a connection may be silent, between requests or in the middle of one
 */
public record Limits(
    int bodyBytesMax,
    int headerBytesMax,
    int requestsMax,
    int connectionsMax,
    Duration idleTimeout) {

  private static final Duration IDLE_MIN = Duration.ofMillis(1);
  private static final Duration IDLE_MAX = Duration.ofDays(1);

  /**
   * 16 MiB: 10,000 transfers, the most of one request, with 1,600 bytes each. 16 KiB: cursors and
   * ids are short. 4,096 requests: what the engine's queue is made for. 8,192 connections, 60 s.
   */
  public static final Limits DEFAULT =
      new Limits(16 << 20, 16 << 10, 4_096, 8_192, Duration.ofSeconds(60));

  /**
   * Checks the ranges.
   *
   * @throws MisuseException if one is not positive or the timeout is outside 1 ms … 1 day
   */
  public Limits {
    Objects.requireNonNull(idleTimeout, "idleTimeout");
    requirePositive("bodyBytesMax", bodyBytesMax);
    requirePositive("headerBytesMax", headerBytesMax);
    requirePositive("requestsMax", requestsMax);
    requirePositive("connectionsMax", connectionsMax);
    if (idleTimeout.compareTo(IDLE_MIN) < 0 || idleTimeout.compareTo(IDLE_MAX) > 0) {
      throw new MisuseException("idleTimeout", "must be 1 ms … 1 day, was " + idleTimeout);
    }
  }

  private static void requirePositive(String field, int value) {
    if (value < 1) {
      throw new MisuseException(field, "must be positive, was " + value);
    }
  }
}
