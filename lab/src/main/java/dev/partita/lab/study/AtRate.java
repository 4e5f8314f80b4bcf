package dev.partita.lab.study;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.time.Duration;
import java.util.List;

/** How long transfers take when callers do not wait for each other. */
public final class AtRate implements Experiment {

  private static final String ARM = "at rate";
  private static final Duration QUICK_WINDOW = Duration.ofSeconds(20);

  /** Ten of them are beyond the 99th percentile: with fewer it would mislead. */
  private static final int ANSWERS_MIN = 1_000;

  private final Contender target;
  private final Workload workload;
  private final Load.Open load;

  /** Of one contender under one load. */
  public AtRate(Contender target, Workload workload, Load.Open load) {
    this.target = target;
    this.workload = workload;
    this.load = load;
  }

  @Override
  public Description description() {
    return new Description(
        "rate",
        "Latency at an offered rate",
        target.card().name()
            + " is offered "
            + Shapes.text(load.ratePerSecond())
            + " operations/s, whether or not it keeps up.",
        "everything offered is answered",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    return List.of(new Arm(ARM, target, workload, load));
  }

  /** A 99th percentile takes thousands of answers. */
  @Override
  public Duration windowMax(Profile profile) {
    return profile == Profile.QUICK ? QUICK_WINDOW : Experiment.super.windowMax(profile);
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of();
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of();
  }

  @Override
  public String summary(Results results) {
    long answers =
        results.of(ARM).stream().mapToLong(each -> each.latencies().response().count()).sum();
    double p99 = results.median(ARM, each -> each.latencies().response().p99()) / 1_000;
    return "Offered "
        + Shapes.text(load.ratePerSecond())
        + " operations/s, "
        + target.card().name()
        + " makes "
        + Shapes.text(results.goodput(ARM))
        + " transfers/s; half are durable within "
        + Shapes.text(results.p50Micros(ARM) / 1_000)
        + " ms of the moment they were due"
        + (answers < ANSWERS_MIN
            ? "; for 99 % there were too few answers."
            : ", 99 % within " + Shapes.text(p99) + " ms.");
  }
}
