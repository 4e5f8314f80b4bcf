package dev.partita.client;

import java.time.Duration;

/**
 * Pauses between attempts, each twice as long as the one before, up to the longest. For one thread.
 */
final class Pauses {

  private static final Duration LONGEST = Duration.ofSeconds(1);

  private Duration next;

  Pauses(Duration first) {
    next = first;
  }

  /** The next pause. */
  Duration next() {
    Duration pause = next;
    Duration doubled = pause.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return pause;
  }
}
