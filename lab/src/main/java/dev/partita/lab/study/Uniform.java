package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** The same without a hot account: what Partita costs where nobody needs it. */
final class Uniform implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final List<Integer> CALLERS = List.of(1, 16, 64, 1_000, 4_000);
  private static final int SQL_CALLERS_MAX = 64;

  @Override
  public Description description() {
    return new Description(
        "uniform",
        "No hot account",
        "Where transfers are spread over many accounts, batches still save commits.",
        "4,000 callers reach at least 0.40 of what the table allows; refuted below 0.20",
        "concurrent callers");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload uniform = Workload.uniform(ACCOUNTS);
    List<Arm> arms = new ArrayList<>();
    for (int callers : profile == Profile.SMOKE ? List.of(64) : CALLERS) {
      arms.add(
          Arm.over(new Partita(), uniform, callers)
              .then(cell -> Headline.ceiling(uniform, callers, cell)));
      if (callers <= SQL_CALLERS_MAX) {
        arms.add(Arm.over(new Naive(Naive.Order.HOT_FIRST), uniform, callers));
        arms.add(Arm.over(new OneStatement(), uniform, callers));
      }
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (int callers : CALLERS) {
      for (String against : List.of("naive@", "one-statement@", "ceiling@")) {
        String arm = "partita@" + callers;
        if (results.has(arm) && results.has(against + callers)) {
          ratios.add(
              results.ratio(
                  arm + " / " + against + callers,
                  arm,
                  against + callers,
                  callers == 4_000 ? "at least 0.40" : ""));
        }
      }
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(
        Shapes.atLeast(
            results.ratio("partita@4000 / ceiling@4000", "partita@4000", "ceiling@4000", ""),
            0.40,
            0.20));
  }

  @Override
  public String summary(Results results) {
    return "Spread over 10,000 accounts, 64 callers get "
        + Shapes.text(results.goodput("partita@64"))
        + " transfers/s from Partita and "
        + Shapes.text(results.goodput("naive@64"))
        + " from the transaction everybody writes first; 4,000 callers get "
        + Shapes.text(results.goodput("partita@4000"))
        + " from Partita.";
  }
}
