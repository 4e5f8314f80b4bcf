package dev.partita.lab.knee;

/** Makes targets ready. */
@FunctionalInterface
public interface Rigs {

  /**
   * A target for one probe, closed after it.
   *
   * @param rate operations a second that it will be offered
   * @param places most operations that will be under way at once
   * @param seed of everything random in it
   */
  Rig ready(double rate, int places, long seed);
}
