package dev.partita.lab.load;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * How a window went from its beginning to its end, in equal parts: what a single figure for the
 * whole window hides.
 *
 * @param responses response times in microseconds of the operations that were answered, by the part
 *     of the window in which they were meant to begin; empty if it was not recorded
 * @param underWay operations under way at evenly spaced instants; empty if it was not recorded
 * @param underWayMax most that may be under way at once
 * @param answeredMeanwhile operations whose answer came inside the window, whenever they began:
 *     less than what was offered if a queue grows
 * @param clamped times that were longer than can be recorded, and count as the longest that can
 */
public record Course(
    List<Histogram> responses,
    List<Integer> underWay,
    int underWayMax,
    long answeredMeanwhile,
    long clamped) {

  /** Takes copies of the lists. */
  public Course {
    responses = List.copyOf(responses);
    underWay = List.copyOf(underWay);
  }
}
