package dev.partita.lab.load;

import java.time.Duration;

/**
 * The course of a run.
 *
 * @param warmUp what is offered and not measured
 * @param length what is measured
 * @param drain how long is waited for operations under way at the end
 */
public record Window(Duration warmUp, Duration length, Duration drain) {

  /** Warm-up and window, and at most ten seconds for what is under way. */
  public static Window of(Duration warmUp, Duration length) {
    return new Window(warmUp, length, Duration.ofSeconds(10));
  }
}
