package dev.partita.lab.study;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.Partita;
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
import java.util.stream.Collectors;

/** The same id again. */
final class Replays implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final List<String> CONTENDERS = List.of("one-statement", "function", "partita");

  @Override
  public Description description() {
    return new Description(
        "E003-2",
        "A replay is about as cheap as a write",
        "pledge's author: repeating transfers that exist does 0.86 of the rate of new ones.",
        "at one client at least 0.7 of the rate of new ones, and nothing new is stored; refuted if anything is stored twice",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload fresh = Workload.uniform(ACCOUNTS);
    List<Arm> arms = new ArrayList<>();
    for (Contender each : List.of(new OneStatement(), new StoredFunction(), new Partita())) {
      String name = each.card().name();
      arms.add(Arm.closed(name + " new", each, fresh, 1));
      arms.add(Arm.closed(name + " replay", each, fresh.replays(1.0), 1));
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return CONTENDERS.stream()
        .map(
            each ->
                results.ratio(
                    each + ": replays / new transfers",
                    each + " replay",
                    each + " new",
                    "",
                    cell ->
                        (cell.counts().replayed() + cell.counts().committed())
                            / cell.setup().seconds()))
        .toList();
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Finding> findings = new ArrayList<>();
    ratios(results).forEach(each -> findings.add(Shapes.atLeast(each, 0.7)));
    for (String each : CONTENDERS) {
      // More than the first one of the caller would be a repeat that was taken for something new.
      double made = results.median(each + " replay", cell -> cell.counts().committed());
      findings.add(
          Shapes.judged(each + ": transfers made by repeats", "0", made, made == 0, made > 0, ""));
    }
    return findings;
  }

  @Override
  public String summary(Results results) {
    return "Replays / new transfers at one client: "
        + ratios(results).stream()
            .map(
                each ->
                    each.name().replace(": replays / new transfers", "")
                        + " "
                        + Shapes.text(each.median()))
            .collect(Collectors.joining(", "))
        + ".";
  }
}
