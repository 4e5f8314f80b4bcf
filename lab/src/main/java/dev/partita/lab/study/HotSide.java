package dev.partita.lab.study;

import dev.partita.lab.contender.ReadModifyWrite;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.List;

/** One account on one side of every transfer. */
final class HotSide implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;

  @Override
  public Description description() {
    return new Description(
        "E000-1",
        "A hot side costs eight ninths",
        "Hot-account study: with one account on one side of every transfer 1,091 transfers a second are left of 9,000.",
        "at commits of about 1 ms at most 0.25 of uniform (study 0.12), natively at most 0.40; refuted from 0.60",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Arm uniform = Arm.closed("uniform", new ReadModifyWrite(), Workload.uniform(ACCOUNTS), CALLERS);
    Arm hot = Arm.closed("hot", new ReadModifyWrite(), Workload.hot(ACCOUNTS), CALLERS);
    return List.of(uniform, hot, uniform.slowCommit(), hot.slowCommit());
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        results.ratio("hot / uniform", "hot", "uniform", ""),
        results.ratio("hot / uniform" + Arm.SLOW, "hot" + Arm.SLOW, "uniform" + Arm.SLOW, ""));
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    return List.of(
        Shapes.atMost(ratios.get(1), 0.25, 0.60), Shapes.atMost(ratios.get(0), 0.40, 0.60));
  }

  @Override
  public String summary(Results results) {
    return "With one hot account "
        + Shapes.text(results.goodput("hot"))
        + " transfers/s are left of "
        + Shapes.text(results.goodput("uniform"))
        + "; with commits of about 1 ms "
        + Shapes.text(results.goodput("hot" + Arm.SLOW))
        + " of "
        + Shapes.text(results.goodput("uniform" + Arm.SLOW))
        + ".";
  }
}
