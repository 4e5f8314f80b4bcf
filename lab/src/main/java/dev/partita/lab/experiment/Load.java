package dev.partita.lab.experiment;

/** How operations are offered. */
public sealed interface Load {

  /**
   * Callers that wait for their answers: what is offered depends on the target.
   *
   * @param callers how many, each with one operation at a time
   */
  record Closed(int callers) implements Load {}

  /**
   * Callers who do not know of each other: what is offered does not depend on the target.
   *
   * @param ratePerSecond operations a second
   * @param evenly at equal distances, else by a Poisson process
   * @param inFlightMax most operations under way; what comes beyond is dropped
   * @param workers connections, or places of contenders that need none
   */
  record Open(double ratePerSecond, boolean evenly, int inFlightMax, int workers) implements Load {}
}
