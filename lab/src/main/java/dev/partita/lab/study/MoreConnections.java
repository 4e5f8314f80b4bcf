package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The hot row over the number of connections. */
final class MoreConnections implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final List<Integer> CALLERS = List.of(1, 2, 4, 8, 16, 32, 64);
  private static final List<String> WAYS = List.of("", Arm.SLOW);

  private static String name(int callers) {
    return "hot@" + callers;
  }

  @Override
  public Description description() {
    return new Description(
        "E000-3",
        "More connections do not help a hot row",
        "Hot-account study: 1, 4, 16 and 64 connections do 1,244, 1,364, 1,200 and 1,108 transfers a second on one row.",
        "at commits of about 1 ms the best is at most 2 × the worst, 64 connections do no more than 1; refuted if 64 do more than 1.2 × 4",
        "connections");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    for (int callers : profile == Profile.SMOKE ? List.of(1, 4, 64) : CALLERS) {
      Arm arm =
          Arm.closed(
                  name(callers), new Naive(Naive.Order.HOT_FIRST), Workload.hot(ACCOUNTS), callers)
              .at("hot row", callers);
      arms.add(arm);
      arms.add(arm.slowCommit());
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (String way : WAYS) {
      ratios.add(results.ratio("64 / 1 connections" + way, name(64) + way, name(1) + way, ""));
      ratios.add(results.ratio("64 / 4 connections" + way, name(64) + way, name(4) + way, ""));
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Finding> findings = new ArrayList<>();
    double[] slow =
        CALLERS.stream()
            .map(callers -> name(callers) + Arm.SLOW)
            .filter(results::has)
            .mapToDouble(results::goodput)
            .toArray();
    double spread =
        Arrays.stream(slow).max().orElse(Double.NaN) / Arrays.stream(slow).min().orElse(Double.NaN);
    findings.add(
        Shapes.judged(
            "best / worst number of connections" + Arm.SLOW,
            "at most 2.0 (study 1.23)",
            spread,
            spread <= 2.0,
            false,
            ""));
    List<Ratio> ratios = ratios(results);
    for (int way = 0; way < WAYS.size(); way++) {
      findings.add(Shapes.atMost(ratios.get(2 * way), 1.0));
      findings.add(Shapes.atMost(ratios.get(2 * way + 1), 1.0, 1.2));
      String arm = name(64) + WAYS.get(way);
      double little =
          results.median(arm, each -> each.latencies().response().mean())
              * results.goodput(arm)
              / 64e6;
      findings.add(
          Shapes.judged(
              "mean response × goodput / 64" + WAYS.get(way),
              "0.9 to 1.1 (Little's law)",
              little,
              little >= 0.9 && little <= 1.1,
              false,
              ""));
    }
    return findings;
  }

  @Override
  public String summary(Results results) {
    return "One connection does "
        + Shapes.text(results.goodput(name(1)))
        + " transfers/s on the hot row, 64 do "
        + Shapes.text(results.goodput(name(64)))
        + "; with commits of about 1 ms "
        + Shapes.text(results.goodput(name(1) + Arm.SLOW))
        + " and "
        + Shapes.text(results.goodput(name(64) + Arm.SLOW))
        + ".";
  }
}
