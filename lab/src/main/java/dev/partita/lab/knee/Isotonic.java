package dev.partita.lab.knee;

/** The rising step function that is closest to given points. */
final class Isotonic {

  private Isotonic() {}

  /**
   * Pools neighbours that are out of order into their weighted mean until none are: least squares
   * among all sequences that never fall.
   *
   * @param weights one for each value, more than 0
   * @return the fitted values, as many
   */
  static double[] rising(double[] values, double[] weights) {
    int size = values.length;
    double[] means = new double[size];
    double[] sums = new double[size];
    int[] lengths = new int[size];
    int blocks = 0;
    for (int i = 0; i < size; i++) {
      means[blocks] = values[i];
      sums[blocks] = weights[i];
      lengths[blocks] = 1;
      blocks++;
      while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
        int into = blocks - 2;
        int from = blocks - 1;
        double sum = sums[into] + sums[from];
        means[into] = (means[into] * sums[into] + means[from] * sums[from]) / sum;
        sums[into] = sum;
        lengths[into] += lengths[from];
        blocks--;
      }
    }
    double[] fitted = new double[size];
    int at = 0;
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < lengths[block]; i++) {
        fitted[at++] = means[block];
      }
    }
    return fitted;
  }

  /**
   * Where a rising sequence first exceeds a level, by linear interpolation.
   *
   * @param positions rising strictly
   * @param fitted never falling, as many
   * @return infinity if the last one does not exceed it, minus infinity if the first one does: what
   *     lies outside of the points is not known
   */
  static double crossing(double[] positions, double[] fitted, double level) {
    for (int i = 0; i < fitted.length; i++) {
      if (fitted[i] > level) {
        if (i == 0) {
          return Double.NEGATIVE_INFINITY;
        }
        double share = (level - fitted[i - 1]) / (fitted[i] - fitted[i - 1]);
        return positions[i - 1] + share * (positions[i] - positions[i - 1]);
      }
    }
    return Double.POSITIVE_INFINITY;
  }
}
