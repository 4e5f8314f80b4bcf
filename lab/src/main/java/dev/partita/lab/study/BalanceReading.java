package dev.partita.lab.study;

import dev.partita.lab.contender.BalanceRead;
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

/** What a balance costs to read where none is kept. */
final class BalanceReading implements Experiment {

  private static final List<Integer> ENTRIES = List.of(100, 1_000, 10_000, 100_000);

  @Override
  public Description description() {
    return new Description(
        "E000-6",
        "Without a balance, reads pay later",
        "Hot-account study: a sum at every read grows with the account; sums of blocks keep it"
            + " flat.",
        "from 1,000 to 100,000 entries the time of a sum grows with a slope of 0.8 to 1.2 (both"
            + " axes logarithmic), that of block sums by at most 3 ×; refuted if a sum stays flat"
            + " (slope below 0.3)",
        "entries of the account");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    // One operation is one read: what a workload would pick is not looked at.
    Workload any = Workload.uniform(2);
    List<Arm> arms = new ArrayList<>();
    for (int entries : profile == Profile.SMOKE ? ENTRIES.subList(0, 2) : ENTRIES) {
      arms.add(Arm.closed(sum(entries), BalanceRead.bySum(entries), any, 1).at("sum", entries));
      arms.add(
          Arm.closed(blocks(entries), BalanceRead.byBlocks(entries), any, 1)
              .at("block sums", entries));
    }
    return arms;
  }

  private static String sum(int entries) {
    return "sum@" + entries;
  }

  private static String blocks(int entries) {
    return "blocks@" + entries;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        time(results, "median time of a sum, 100,000 / 1,000 entries", sum(100_000), sum(1_000)),
        time(
            results,
            "median time of block sums, 100,000 / 1,000 entries",
            blocks(100_000),
            blocks(1_000)));
  }

  private static Ratio time(Results results, String name, String arm, String against) {
    return results.ratio(name, arm, against, "", each -> each.latencies().response().p50());
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    double slope = Math.log(ratios.get(0).median()) / Math.log(100);
    return List.of(
        Shapes.judged(
            "slope of a sum's time over entries",
            "0.8 to 1.2; refuted below 0.3",
            slope,
            slope >= 0.8 && slope <= 1.2,
            slope < 0.3,
            ""),
        Shapes.atMost(ratios.get(1), 3, 10));
  }

  @Override
  public String summary(Results results) {
    return "A balance by sum takes "
        + Shapes.text(results.p50Micros(sum(100_000)) / 1_000)
        + " ms over 100,000 entries and "
        + Shapes.text(results.p50Micros(sum(1_000)) / 1_000)
        + " ms over 1,000; by block sums "
        + Shapes.text(results.p50Micros(blocks(100_000)) / 1_000)
        + " and "
        + Shapes.text(results.p50Micros(blocks(1_000)) / 1_000)
        + " ms.";
  }
}
