package dev.partita.client;

import dev.partita.json.Problem;

/** What the server answered. */
sealed interface Reply<T> {

  /** What was asked for. */
  record Of<T>(T value) implements Reply<T> {}

  /**
   * A problem instead.
   *
   * @param mayBeRecorded whether an earlier attempt of the same call may have been recorded, so
   *     that what the problem says of this one is not all
   */
  record Refused<T>(Problem problem, boolean mayBeRecorded) implements Reply<T> {}
}
