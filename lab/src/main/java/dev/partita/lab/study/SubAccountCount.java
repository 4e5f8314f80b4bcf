package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.SubAccounts;
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

/** The hot account as many rows. */
final class SubAccountCount implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;
  private static final List<Integer> ROWS = List.of(1, 4, 16, 64, 256);

  private static String name(int rows) {
    return "rows@" + rows;
  }

  @Override
  public Description description() {
    return new Description(
        "E000-4",
        "64 sub-accounts are about eight times one row",
        "Hot-account study: with the fee account in 64 rows 8,741 transfers a second are made instead of 1,091.",
        "at commits of about 1 ms 64 rows do at least 4 × one row and at least 0.8 of uniform; refuted below 3 ×",
        "rows of the hot account");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    Workload hot = Workload.hot(ACCOUNTS);
    arms.add(Arm.closed("one row", new Naive(Naive.Order.HOT_FIRST), hot, CALLERS));
    arms.add(
        Arm.closed(
            "uniform", new Naive(Naive.Order.HOT_FIRST), Workload.uniform(ACCOUNTS), CALLERS));
    for (int rows : profile == Profile.SMOKE ? List.of(64) : ROWS) {
      arms.add(
          Arm.closed(name(rows), new SubAccounts(rows), hot, CALLERS).at("sub-accounts", rows));
    }
    List<Arm> both = new ArrayList<>(arms);
    arms.forEach(each -> both.add(each.slowCommit()));
    return both;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (String way : List.of(Arm.SLOW, "")) {
      ratios.add(results.ratio("64 rows / one row" + way, name(64) + way, "one row" + way, ""));
      ratios.add(results.ratio("64 rows / uniform" + way, name(64) + way, "uniform" + way, ""));
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    return List.of(Shapes.atLeast(ratios.get(0), 4, 3), Shapes.atLeast(ratios.get(1), 0.8, 0.5));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "64 rows do "
        + Shapes.text(ratios.get(2).median())
        + " × what one row does, "
        + Shapes.text(ratios.get(0).median())
        + " × where commits take about 1 ms.";
  }
}
