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
import java.util.ArrayList;
import java.util.List;

/** How few accounts are a hot row. */
final class PoolSweep implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;
  private static final List<Integer> POOLS = List.of(10_000, 1_000, 100, 50, 20, 10, 5, 2);

  private static String name(int pool) {
    return "pool@" + pool;
  }

  @Override
  public Description description() {
    return new Description(
        "E000-8",
        "The fewer accounts, the more waiting",
        "Hot-account study: with both sides from a pool of 10,000 accounts 9,000 transfers a second are made, of 100 6,800, of 10 1,450, of 2 1,187.",
        "at commits of about 1 ms it never rises as the pool shrinks (by more than 10 %), and half is lost between 100 and 10 accounts; refuted if the smallest pool does at least 0.8 of the largest",
        "accounts in the pool");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    for (int pool : profile == Profile.SMOKE ? List.of(10_000, 10, 2) : POOLS) {
      Arm arm =
          Arm.closed(name(pool), new ReadModifyWrite(), Workload.pool(ACCOUNTS, pool), CALLERS)
              .at("pool", pool);
      arms.add(arm);
      arms.add(arm.slowCommit());
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (String way : List.of(Arm.SLOW, "")) {
      for (int pool : POOLS.subList(1, POOLS.size())) {
        ratios.add(
            results.ratio(
                "pool of " + pool + " / 10,000" + way, name(pool) + way, name(10_000) + way, ""));
      }
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Integer> pools =
        POOLS.stream().filter(pool -> results.has(name(pool) + Arm.SLOW)).toList();
    double steepest = 0;
    for (int i = 1; i < pools.size(); i++) {
      steepest =
          Math.max(
              steepest,
              results.goodput(name(pools.get(i)) + Arm.SLOW)
                  / results.goodput(name(pools.get(i - 1)) + Arm.SLOW));
    }
    double whole = results.goodput(name(10_000) + Arm.SLOW);
    double at100 = results.goodput(name(100) + Arm.SLOW) / whole;
    double at10 = results.goodput(name(10) + Arm.SLOW) / whole;
    double smallest = results.goodput(name(2) + Arm.SLOW) / whole;
    double ends = results.goodput(name(5) + Arm.SLOW) / results.goodput(name(2) + Arm.SLOW);
    return List.of(
        Shapes.judged(
            "largest step upwards as the pool shrinks" + Arm.SLOW,
            "at most 1.10",
            pools.size() < 2 ? Double.NaN : steepest,
            steepest <= 1.10,
            false,
            ""),
        Shapes.judged(
            "left with 10 accounts, while 100 keep " + Shapes.text(at100) + Arm.SLOW,
            "100 keep at least half and 10 keep less",
            at10,
            at100 >= 0.5 && at10 < 0.5,
            false,
            ""),
        Shapes.judged(
            "left with 2 accounts" + Arm.SLOW,
            "at most 0.5; refuted from 0.8",
            smallest,
            smallest <= 0.5,
            smallest >= 0.8,
            ""),
        Shapes.judged(
            "pool of 5 / pool of 2" + Arm.SLOW,
            "0.5 to 2",
            ends,
            ends >= 0.5 && ends <= 2,
            false,
            ""));
  }

  @Override
  public String summary(Results results) {
    return "10,000 accounts: "
        + Shapes.text(results.goodput(name(10_000)))
        + " transfers/s, 100: "
        + Shapes.text(results.goodput(name(100)))
        + ", 10: "
        + Shapes.text(results.goodput(name(10)))
        + ", 2: "
        + Shapes.text(results.goodput(name(2)))
        + ".";
  }
}
