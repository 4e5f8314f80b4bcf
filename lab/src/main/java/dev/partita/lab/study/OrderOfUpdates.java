package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.List;

/** When in the transaction the hot row is asked for. */
final class OrderOfUpdates implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;

  @Override
  public Description description() {
    return new Description(
        "E000-10",
        "Ask for the hot row last",
        "A row is held from its update to the end of the commit: the later it is asked for, the shorter its turn.",
        "hot row last at least 1.05 × first; refuted below 1.0",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload hot = Workload.hot(ACCOUNTS);
    return List.of(
        Arm.closed("first", new Naive(Naive.Order.HOT_FIRST), hot, CALLERS),
        Arm.closed("last", new Naive(Naive.Order.HOT_LAST), hot, CALLERS),
        Arm.closed("one statement", new OneStatement(), hot, CALLERS));
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        results.ratio("last / first", "last", "first", ""),
        results.ratio("one statement / first", "one statement", "first", ""));
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(Shapes.atLeast(ratios(results).getFirst(), 1.05, 1.0));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "The hot row last does "
        + Shapes.text(ratios.get(0).median())
        + " × the hot row first, one statement "
        + Shapes.text(ratios.get(1).median())
        + " ×.";
  }
}
