package dev.partita;

/**
 * Told how far a long operation is. Called on the operation's own thread, so it should be quick.
 */
@FunctionalInterface
public interface Progress {

  /** Tells nobody. */
  Progress NONE = (done, total) -> {};

  /**
   * Some of the work is done.
   *
   * @param done units of work done so far
   * @param total all units, as far as known now
   */
  void report(long done, long total);
}
