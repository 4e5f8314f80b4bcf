package dev.partita.lab.study;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What may come between Partita and its pace: a server far away, repeats, batches of callers. */
final class Steadiness implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int MANY = 1_000;
  private static final int SOME = 64;
  private static final int BATCH = 100;
  private static final int BATCH_CALLERS = 8;
  private static final Emulation NEAR = Emulation.far(Duration.ofMillis(1));
  private static final Emulation FAR = Emulation.far(Duration.ofMillis(5));
  private static final String PARTITA = new Partita().card().name();
  private static final String HERE = PARTITA + "@" + MANY;

  private final List<Contender> guests;

  /** With systems of the user's that take part. */
  Steadiness(List<Contender> guests) {
    this.guests = List.copyOf(guests);
  }

  @Override
  public Description description() {
    return new Description(
        "steady",
        "What slows Partita down",
        "Larger batches make up for a longer way, and a repeat costs no more than what it repeats.",
        "1,000 callers keep 0.5 of their rate when every round trip takes 1 ms longer and 0.2 when"
            + " it takes 5; 64 get answers to repeats as fast as to new transfers",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload hot = Workload.hot(ACCOUNTS);
    Arm here = Arm.closed(HERE, new Partita(), hot, MANY);
    List<Arm> arms = new ArrayList<>(List.of(here, here.under(NEAR), here.under(FAR)));
    arms.add(Arm.closed("new", new Partita(), hot, SOME));
    arms.add(Arm.closed("repeated", new Partita(), hot.replays(1.0), SOME));
    List<Contender> batched = new ArrayList<>(List.of(new Partita()));
    batched.addAll(guests);
    for (Contender each : batched) {
      arms.add(Arm.closed(batches(each.card().name()), each, hot.batch(BATCH), BATCH_CALLERS));
    }
    return arms;
  }

  private static String batches(String contender) {
    return contender + ", batches of " + BATCH;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    ratios.add(farther(results, NEAR, "at least 0.50"));
    ratios.add(farther(results, FAR, "at least 0.20"));
    ratios.add(
        results.ratio(
            "repeated / new", "repeated", "new", "at least 1.00", Steadiness::answersPerSecond));
    for (Contender guest : guests) {
      String other = batches(guest.card().name());
      String wanted = guest.card().name().equals("pgledger") ? "at least 5" : "";
      ratios.add(results.ratio(batches(PARTITA) + " / " + other, batches(PARTITA), other, wanted));
    }
    return ratios;
  }

  private static Ratio farther(Results results, Emulation distance, String wanted) {
    String far = HERE + distance.suffix();
    return results.ratio(far + " / " + HERE, far, HERE, wanted);
  }

  private static double answersPerSecond(Cell cell) {
    return (cell.counts().replayed() + cell.counts().committed()) / cell.setup().seconds();
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    return List.of(
        Shapes.atLeast(ratios.get(0), 0.5),
        Shapes.atLeast(ratios.get(1), 0.2),
        Shapes.atLeast(ratios.get(2), 1.0));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "1,000 callers keep "
        + Shapes.text(ratios.get(0).median())
        + " of their rate with 1 ms more in every round trip and "
        + Shapes.text(ratios.get(1).median())
        + " with 5; repeats are answered at "
        + Shapes.text(ratios.get(2).median())
        + " times the rate of new transfers.";
  }
}
