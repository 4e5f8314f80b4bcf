package dev.partita.lab.run;

import dev.partita.lab.result.Cell;

/** Told how far a run is. Called by one thread. */
public interface Progress {

  /** Tells nobody. */
  Progress NOBODY = new Progress() {};

  /**
   * Something begins.
   *
   * @param what in words
   * @param done cells that are over
   * @param cells cells there will be; 0 if that is not known
   */
  default void began(String what, int done, int cells) {}

  /** A cell is over. */
  default void ended(Cell cell) {}
}
