package dev.partita.lab.study;

import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.StoredFunction;
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

/** Bigger batches in one statement and in a loop. */
final class DurableBatches implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CLIENTS = 8;
  private static final List<Integer> BATCHES = List.of(1, 10, 100, 1_000);

  @Override
  public Description description() {
    return new Description(
        "E003-3",
        "Bigger durable batches help one statement, not a loop",
        "pledge's author: batches of 100 do 1.34 × batches of 10 in one statement, 0.92 × in a loop inside a function.",
        "in one statement 100 do at least 1.2 × 10, in a loop at most 1.1 ×; refuted if the loop gains more than the statement",
        "transfers in a batch");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    for (int batch : profile == Profile.SMOKE ? List.of(10, 100) : BATCHES) {
      Workload uniform = Workload.uniform(ACCOUNTS).batch(batch);
      arms.add(
          Arm.closed("statement@" + batch, new OneStatement(), uniform, CLIENTS)
              .at("one statement", batch));
      arms.add(
          Arm.closed("loop@" + batch, new StoredFunction(), uniform, CLIENTS).at("loop", batch));
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        results.ratio("one statement, 100 / 10", "statement@100", "statement@10", ""),
        results.ratio("loop in a function, 100 / 10", "loop@100", "loop@10", ""));
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    double more = ratios.get(0).median() / ratios.get(1).median();
    return List.of(
        Shapes.atLeast(ratios.get(0), 1.2),
        Shapes.atMost(ratios.get(1), 1.1),
        Shapes.judged(
            "gain of the statement / gain of the loop",
            "more than 1; refuted below 0.95",
            more,
            more > 1,
            more < 0.95,
            ""));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "From batches of 10 to 100, durably, one statement gains "
        + Shapes.text(ratios.get(0).median())
        + " ×, a loop in a function "
        + Shapes.text(ratios.get(1).median())
        + " ×.";
  }
}
