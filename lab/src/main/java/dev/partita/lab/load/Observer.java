package dev.partita.lab.load;

/**
 * Told of every operation that ended, inside the window and outside: a client's journal. Called by
 * many threads.
 */
@FunctionalInterface
public interface Observer {

  /** Tells nobody. */
  Observer NOBODY = (operation, answer) -> {};

  /** An operation has ended, or the run has without it. */
  void ended(Operation operation, Answer answer);

  /** Whether to go on offering operations. */
  default boolean wantsMore() {
    return true;
  }
}
