package dev.partita.lab.study;

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
import java.util.stream.Stream;

/** What it costs to plan a statement each time. */
final class Replanning implements Experiment {

  private static final int ACCOUNTS = 10_000;

  @Override
  public Description description() {
    return new Description(
        "E003-5",
        "Planning again costs about a third",
        "pledge's author: planning each time was about 30 % of the server's time.",
        "CPU of the server's sessions a transfer, planned each time, at least 1.15 × planned once; refuted up to 1.02",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload uniform = Workload.uniform(ACCOUNTS);
    return Stream.of("auto", "force_generic_plan", "force_custom_plan")
        .map(mode -> Arm.closed("plans, " + mode, new OneStatement().planned(mode), uniform, 1))
        .toList();
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        results.ratio(
            "server CPU a transfer, planned each time / once",
            "plans, force_custom_plan",
            "plans, force_generic_plan",
            "",
            each -> each.figure("cpu_sessions_per_transfer").orElse(Double.NaN)),
        results.ratio(
            "goodput, planned each time / once",
            "plans, force_custom_plan",
            "plans, force_generic_plan",
            ""));
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(Shapes.atLeast(ratios(results).getFirst(), 1.15, 1.02));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "Planning each time takes "
        + Shapes.text(ratios.get(0).median())
        + " × the server's CPU a transfer and leaves "
        + Shapes.text(ratios.get(1).median())
        + " of the goodput.";
  }
}
