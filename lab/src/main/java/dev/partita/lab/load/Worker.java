package dev.partita.lab.load;

/**
 * Carries out operations, one at a time: a connection, or a place in a queue. Used by one thread at
 * a time.
 */
public interface Worker extends AutoCloseable {

  /**
   * Carries out one operation and checks what came back: row counts and ids. Never throws for what
   * the target does; that is an outcome.
   */
  Answer perform(Operation operation);

  /** The threads that should call it. */
  default Threads threads() {
    return Threads.VIRTUAL;
  }

  @Override
  void close();
}
