package dev.partita.lab.knee;

/**
 * Offers a rate to a target and tells what happened. Says of a run that measured nothing, whatever
 * the reason, that client or host were not fit: see {@link ProbeFacts#nothing}.
 */
public interface Prober {

  /**
   * A probe of its own: the same data and a fresh start every time, so that none profits or suffers
   * from what the one before left.
   *
   * @param rate operations a second, more than 0
   * @param seed of everything random: the same one offers the same operations at the same times
   */
  ProbeFacts probe(double rate, long seed) throws InterruptedException;

  /**
   * Whether the target comes back: offers too much for the length of a window and then, at once and
   * without any restart, a rate that it can bear.
   *
   * @param overload operations a second that are too much
   * @param rate operations a second that it can bear
   * @return the facts of a window at {@code rate} that begins at most 30 s after the overload
   */
  ProbeFacts recover(double overload, double rate, long seed) throws InterruptedException;
}
