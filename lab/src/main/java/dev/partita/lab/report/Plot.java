package dev.partita.lab.report;

import java.util.List;

/**
 * One drawing, as the page's script reads it.
 *
 * @param id unique on the page
 * @param title above it
 * @param x across
 * @param y upward
 * @param small whether it is one of many beside each other
 * @param lines in the order of drawing
 */
record Plot(String id, String title, Axis x, Axis y, boolean small, List<Line> lines) {

  /**
   * One axis.
   *
   * @param label in words; empty where the heading above all plots says it
   * @param log whether equal steps are equal factors; if not, it begins at zero
   * @param unit how numbers are written: {@code count}, {@code micros}, {@code tail} for 1/(1−p)
   * @param ticks where to put numbers; empty to leave that to the script
   * @param from least value shown, 0 to leave it to the data
   * @param to greatest, 0 to leave it to the data
   */
  record Axis(String label, boolean log, String unit, List<Double> ticks, double from, double to) {

    static Axis log(String label, String unit) {
      return new Axis(label, true, unit, List.of(), 0, 0);
    }

    static Axis linear(String label, String unit) {
      return new Axis(label, false, unit, List.of(), 0, 0);
    }

    Axis withTicks(List<Double> places) {
      return new Axis(label, log, unit, places, from, to);
    }

    Axis between(double least, double greatest) {
      return new Axis(label, log, unit, ticks, least, greatest);
    }
  }

  /**
   * One line.
   *
   * @param name of the series
   * @param style number of colour and dash
   * @param mark {@code line}, {@code dots}, {@code thin}, {@code dashed} or {@code reference}
   * @param points each x and y, x ascending
   */
  record Line(String name, int style, String mark, List<List<Double>> points) {}

  /** What stands in for the drawing where none is seen. */
  String alternative(String table) {
    return title + ". The same figures are in the table “" + table + "”.";
  }
}
