package dev.partita.lab.knee;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What every promise contains: operations are answered, and answers keep up with them. */
final class Overload {

  private static final double FAILED_MAX = 0.001;
  private static final double ANSWERED_MIN = 0.98;

  /** Growth of what is under way, as a share of what may be under way at most. */
  private static final double GROWTH_MAX = 0.1;

  private Overload() {}

  /** PASS, FAIL or INVALID: these are counts, without a noise of their own. */
  static Judgement judge(ProbeFacts facts) {
    String complaint = facts.complaint();
    if (complaint != null) {
      return Judgement.invalid(complaint);
    }
    if (facts.offered() == 0) {
      return Judgement.invalid("nothing was offered");
    }
    double failed = (double) facts.failed() / facts.offered();
    if (failed > FAILED_MAX) {
      return Judgement.fail(
          percent(failed) + " of what was offered failed, by outcome " + facts.failures());
    }
    double answered = (double) facts.answeredMeanwhile() / facts.offered();
    if (answered < ANSWERED_MIN
        && facts.offered() - facts.answeredMeanwhile() > chance(facts.underWay())) {
      return Judgement.fail("answers came at " + percent(answered) + " of the rate offered");
    }
    double growth = growth(facts.underWay());
    if (growth >= GROWTH_MAX * facts.underWayMax() && growth > 0) {
      return Judgement.fail(
          String.format(
              Locale.ROOT,
              "operations under way grew by %.0f, limit %.0f",
              growth,
              GROWTH_MAX * facts.underWayMax()));
    }
    return Judgement.pass(percent(failed) + " failed");
  }

  /**
   * How many answers may be missing although a queue does not grow: with few operations a second,
   * what was under way at the beginning and at the end of the window differs by chance. Three
   * deviations of the difference of two Poisson counts.
   */
  private static double chance(List<Integer> underWay) {
    double mean = underWay.stream().mapToInt(Integer::intValue).average().orElse(0);
    return 3 * Math.sqrt(2 * mean);
  }

  /** By how much a series rises from its first value to its last, going by its median slope. */
  static double growth(List<Integer> series) {
    int size = series.size();
    if (size < 2) {
      return 0;
    }
    double[] slopes = new double[size * (size - 1) / 2];
    int count = 0;
    for (int i = 0; i < size; i++) {
      for (int j = i + 1; j < size; j++) {
        slopes[count++] = (double) (series.get(j) - series.get(i)) / (j - i);
      }
    }
    Arrays.sort(slopes);
    double median = (slopes[(count - 1) / 2] + slopes[count / 2]) / 2;
    return median * (size - 1);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", share * 100);
  }
}
