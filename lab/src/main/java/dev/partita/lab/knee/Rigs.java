package dev.partita.lab.knee;

import dev.partita.lab.load.Window;

/** Makes targets ready. */
@FunctionalInterface
public interface Rigs {

  /** A target for one probe, closed after it. */
  Rig ready(Ask ask);

  /**
   * What a probe is going to offer.
   *
   * @param rate operations a second in its window
   * @param places most operations that will be under way at once
   * @param window what counts; what goes before it is its warm-up
   * @param recovers whether more than the target bears is offered before the window
   * @param seed of everything random
   */
  record Ask(double rate, int places, Window window, boolean recovers, long seed) {}
}
