package dev.partita.lab.study;

import dev.partita.lab.contender.EntriesOnly;
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

/** Entries without a balance. */
final class NoBalance implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;

  @Override
  public Description description() {
    return new Description(
        "E000-5",
        "Without a balance nothing is hot",
        "Hot-account study: two inserts without any balance do 9,612 transfers a second, more than uniform accounts with one.",
        "at least 1.0 of read-modify-write on uniform accounts (study 1.07); refuted below 0.95",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    return List.of(
        Arm.closed("entries only", new EntriesOnly(), Workload.hot(ACCOUNTS), CALLERS),
        Arm.closed("uniform", new ReadModifyWrite(), Workload.uniform(ACCOUNTS), CALLERS));
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(results.ratio("entries only / uniform", "entries only", "uniform", ""));
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(Shapes.atLeast(ratios(results).getFirst(), 1.0, 0.95));
  }

  @Override
  public String summary(Results results) {
    return "Entries only: "
        + Shapes.text(results.goodput("entries only"))
        + " transfers/s on a hot account; read-modify-write on uniform accounts: "
        + Shapes.text(results.goodput("uniform"))
        + ".";
  }
}
