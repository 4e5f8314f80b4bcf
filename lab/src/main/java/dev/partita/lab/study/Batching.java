package dev.partita.lab.study;

import dev.partita.lab.contender.CallerBatches;
import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.TimerBatches;
import dev.partita.lab.experiment.Arm;
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
import java.util.stream.Stream;

/** Many transfers in one turn of the hot row. */
final class Batching implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 16;
  private static final int TIMER_CALLERS = 1_000;
  private static final List<Integer> BATCHES = List.of(1, 10, 50, 100, 200);

  private static String name(int batch) {
    return "batch@" + batch;
  }

  @Override
  public Description description() {
    return new Description(
        "E000-7",
        "Batches of 100 are about fifty times the hot row",
        "Hot-account study: batches of 10, 50 and 100 do 9,500, 41,000 and 60,000 transfers a second where single ones do 1,091.",
        "at commits of about 1 ms batches of 100 do at least 20 × single transfers (study 55), rising up to 100; refuted below 10 ×",
        "transfers in a batch");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    Workload hot = Workload.hot(ACCOUNTS);
    arms.add(Arm.closed("single", new Naive(Naive.Order.HOT_FIRST), hot, CALLERS));
    for (int batch : profile == Profile.SMOKE ? List.of(1, 100) : BATCHES) {
      arms.add(
          Arm.closed(name(batch), new CallerBatches(), hot.batch(batch), CALLERS)
              .at("caller batches", batch));
    }
    List<Arm> both = new ArrayList<>(arms);
    arms.forEach(each -> both.add(each.slowCommit()));
    both.add(Arm.closed("timer", new TimerBatches(Duration.ofMillis(250)), hot, TIMER_CALLERS));
    return both;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (String way : List.of(Arm.SLOW, "")) {
      ratios.add(
          results.ratio("batches of 100 / single" + way, name(100) + way, "single" + way, ""));
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Double> slow =
        Stream.of(1, 10, 50, 100)
            .map(batch -> name(batch) + Arm.SLOW)
            .filter(results::has)
            .map(results::goodput)
            .toList();
    boolean rising = true;
    for (int i = 1; i < slow.size(); i++) {
      rising &= slow.get(i) > slow.get(i - 1);
    }
    double timer = results.p50Micros("timer") / 1_000;
    return List.of(
        Shapes.atLeast(ratios(results).getFirst(), 20, 10),
        Shapes.judged(
            "goodput rises with the batch, up to 100" + Arm.SLOW,
            "each larger batch does more",
            slow.size() < 2 ? Double.NaN : slow.size(),
            rising,
            false,
            "sizes compared"),
        Shapes.judged(
            "a timer of 250 ms makes every payment wait for it",
            "median from call to durable at least 100 ms",
            timer,
            timer >= 100,
            timer < 50,
            "ms"));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "Batches of 100 do "
        + Shapes.text(ratios.get(1).median())
        + " × what single transfers do on the hot row, "
        + Shapes.text(ratios.get(0).median())
        + " × where commits take about 1 ms.";
  }
}
