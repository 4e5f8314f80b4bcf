package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.ReadModifyWrite;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Adding in SQL instead of in the program. */
final class ArithmeticInSql implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;
  private static final List<Integer> ROUND_TRIPS_MILLIS = List.of(1, 5, 10);

  @Override
  public Description description() {
    return new Description(
        "E000-2",
        "Adding in SQL helps little where commits are slow",
        "Hot-account study: dropping the read under lock and adding in SQL gains 12 % on the hot row.",
        "at commits of about 1 ms 1.00 to 1.30 (study 1.12), more where commits are cheaper, and about 2 where the server is 10 ms away; refuted above 1.50 at commits of about 1 ms",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Arm read = Arm.closed("read", new ReadModifyWrite(), Workload.hot(ACCOUNTS), CALLERS);
    Arm add = Arm.closed("add", new Naive(Naive.Order.HOT_FIRST), Workload.hot(ACCOUNTS), CALLERS);
    List<Arm> arms = new ArrayList<>(List.of(read, add, read.slowCommit(), add.slowCommit()));
    for (int millis : profile == Profile.SMOKE ? List.of(1) : ROUND_TRIPS_MILLIS) {
      Emulation far = Emulation.far(Duration.ofMillis(millis));
      arms.add(read.under(far));
      arms.add(add.under(far));
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<String> ways = new ArrayList<>(List.of("", Arm.SLOW));
    ROUND_TRIPS_MILLIS.forEach(each -> ways.add(Emulation.far(Duration.ofMillis(each)).suffix()));
    return ways.stream()
        .map(
            way ->
                results.ratio("add in SQL / read and write" + way, "add" + way, "read" + way, ""))
        .toList();
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    double more = ratios.get(0).median() / ratios.get(1).median();
    return List.of(
        Shapes.between(ratios.get(1), 1.00, 1.30, 1.50),
        Shapes.judged(
            "the gain grows as commits get cheaper",
            "gain natively / gain with slow commits at least 1; refuted below 0.90",
            more,
            more >= 1,
            more < 0.90,
            ""),
        Shapes.atLeast(ratios.getLast(), 1.8, 1.2));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "Adding in SQL does "
        + Shapes.text(ratios.get(0).median())
        + " × what reading and writing does, "
        + Shapes.text(ratios.get(1).median())
        + " × where commits take about 1 ms.";
  }
}
