package dev.partita.validate;

/** Told how far a suite is. Called from any thread, so it should be quick. */
public interface Watcher {

  /** Tells nobody. */
  Watcher NOBODY =
      new Watcher() {
        @Override
        public void phase(String text) {}

        @Override
        public void progress(long done, long total, String unit) {}
      };

  /** Something new begins, such as "reconciling". */
  void phase(String text);

  /**
   * Some of the phase is done.
   *
   * @param total 0 if it is not known
   */
  void progress(long done, long total, String unit);

  /** Something that had to hold did not. */
  default void violation(String what, String detail) {}
}
