package dev.partita.lab.report;

import java.util.List;

/** The shape that stands on the points of a series, as an SVG path about its middle. */
final class Markers {

  /** Told apart without colours; the hollow ones are the first again. */
  private static final List<String> SHAPES =
      List.of(
          "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", // a circle
          "M-3.7,-3.7h7.4v7.4h-7.4z", // a square
          "M0,-5L4.7,3.5H-4.7z", // a triangle
          "M0,-5.3L5.3,0L0,5.3L-5.3,0z", // a diamond
          "M0,5L4.7,-3.5H-4.7z", // a triangle upside down
          "M-1.6,-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z", // a plus
          "M-4.7,-2.5L-2.5,-4.7L0,-2.2L2.5,-4.7L4.7,-2.5L2.2,0L4.7,2.5L2.5,4.7L0,2.2L-2.5,4.7"
              + "L-4.7,2.5L-2.2,0z", // a cross
          "M-5.5,-2h11v4h-11z"); // a bar

  private Markers() {}

  static String path(int style) {
    return SHAPES.get(style % SHAPES.size());
  }

  static boolean hollow(int style) {
    return style >= SHAPES.size();
  }
}
