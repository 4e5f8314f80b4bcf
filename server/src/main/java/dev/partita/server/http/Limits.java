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
 * @param pageItemsMax most items of a page, 100 … 10,000; asking for more is 400
 */
public record Limits(
    int bodyBytesMax,
    int headerBytesMax,
    int requestsMax,
    int connectionsMax,
    Duration idleTimeout,
    int pageItemsMax) {

  // What a page has if nothing is asked for; less would be no page.
  private static final int PAGE_ITEMS_MIN = 100;
  private static final int PAGE_ITEMS_MAX = 10_000;
  private static final Duration IDLE_MIN = Duration.ofMillis(1);
  private static final Duration IDLE_MAX = Duration.ofDays(1);

  /**
   * 16 MiB: 10,000 transfers, the most of one request, with 1,600 bytes each. 16 KiB: cursors and
   * ids are short. 4,096 requests: what the engine's queue is made for. 8,192 connections, 60 s.
   * 10,000 items of a page: the most that a ledger answers.
   */
  public static final Limits DEFAULT =
      new Limits(16 << 20, 16 << 10, 4_096, 8_192, Duration.ofSeconds(60), 10_000);

  /**
   * Checks the ranges.
   *
   * @throws MisuseException if one is out of its range
   */
  public Limits {
    Objects.requireNonNull(idleTimeout, "idleTimeout");
    requirePositive("bodyBytesMax", bodyBytesMax);
    requirePositive("headerBytesMax", headerBytesMax);
    requirePositive("requestsMax", requestsMax);
    requirePositive("connectionsMax", connectionsMax);
    if (pageItemsMax < PAGE_ITEMS_MIN || pageItemsMax > PAGE_ITEMS_MAX) {
      throw new MisuseException("pageItemsMax", "must be 100 … 10,000, was " + pageItemsMax);
    }
    if (idleTimeout.compareTo(IDLE_MIN) < 0 || idleTimeout.compareTo(IDLE_MAX) > 0) {
      throw new MisuseException("idleTimeout", "must be 1 ms … 1 day, was " + idleTimeout);
    }
  }

  /** These limits with another body. */
  public Limits withBodyBytesMax(int value) {
    return new Limits(
        value, headerBytesMax, requestsMax, connectionsMax, idleTimeout, pageItemsMax);
  }

  /** These limits with another header. */
  public Limits withHeaderBytesMax(int value) {
    return new Limits(bodyBytesMax, value, requestsMax, connectionsMax, idleTimeout, pageItemsMax);
  }

  /** These limits with another number of requests at once. */
  public Limits withRequestsMax(int value) {
    return new Limits(
        bodyBytesMax, headerBytesMax, value, connectionsMax, idleTimeout, pageItemsMax);
  }

  /** These limits with another number of connections. */
  public Limits withConnectionsMax(int value) {
    return new Limits(bodyBytesMax, headerBytesMax, requestsMax, value, idleTimeout, pageItemsMax);
  }

  /** These limits with another patience with silence. */
  public Limits withIdleTimeout(Duration value) {
    return new Limits(
        bodyBytesMax, headerBytesMax, requestsMax, connectionsMax, value, pageItemsMax);
  }

  /** These limits with another page. */
  public Limits withPageItemsMax(int value) {
    return new Limits(
        bodyBytesMax, headerBytesMax, requestsMax, connectionsMax, idleTimeout, value);
  }

  private static void requirePositive(String field, int value) {
    if (value < 1) {
      throw new MisuseException(field, "must be positive, was " + value);
    }
  }
}
