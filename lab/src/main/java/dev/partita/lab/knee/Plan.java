package dev.partita.lab.knee;

/**
 * The bounds of a search.
 *
 * @param start operations a second of the first probe: half of what a closed loop with one caller
 *     for each connection reached is a good one
 * @param floor least rate worth a search
 * @param ceiling highest rate that the generator is trusted with: half of what it reached against a
 *     target that does nothing
 * @param tolerance how close the rates that pass and fail are brought: 0.1 is 10 %
 * @param bisectProbes most probes for that
 * @param blocks how often both are repeated
 * @param seed of everything random
 */
public record Plan(
    double start,
    double floor,
    double ceiling,
    double tolerance,
    int bisectProbes,
    int blocks,
    long seed) {

  private static final double USUAL_FLOOR = 10;
  private static final int USUAL_BISECT_PROBES = 8;

  /** Checks ranges. */
  public Plan {
    check(floor > 0, "floor must be more than 0", floor);
    check(Double.isFinite(ceiling) && ceiling > floor, "ceiling must be above floor", ceiling);
    check(start > 0, "start must be more than 0", start);
    check(tolerance > 0 && tolerance <= 1, "tolerance must lie between 0 and 1", tolerance);
    check(bisectProbes >= 0, "bisectProbes must be 0 or more", bisectProbes);
    check(blocks > 0, "blocks must be 1 or more", blocks);
  }

  /** Within 10 %, three blocks: good for an indication. */
  public static Plan quick(double start, double ceiling, long seed) {
    return new Plan(start, USUAL_FLOOR, ceiling, 0.1, USUAL_BISECT_PROBES, 3, seed);
  }

  /** Within 5 %, ten blocks: enough for an interval. */
  public static Plan full(double start, double ceiling, long seed) {
    return new Plan(start, USUAL_FLOOR, ceiling, 0.05, USUAL_BISECT_PROBES, 10, seed);
  }

  private static void check(boolean holds, String rule, double value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", was " + value);
    }
  }
}
