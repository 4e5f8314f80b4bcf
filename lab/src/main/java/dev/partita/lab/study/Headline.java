package dev.partita.lab.study;

import dev.partita.lab.contender.CallerBatches;
import dev.partita.lab.contender.Ceiling;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.EntriesOnly;
import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.contender.PartitaInTransaction;
import dev.partita.lab.contender.ReadModifyWrite;
import dev.partita.lab.contender.StoredFunction;
import dev.partita.lab.contender.SubAccounts;
import dev.partita.lab.contender.TimerBatches;
import dev.partita.lab.experiment.Arm;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Partita beside the ways people do it by hand, over the number of callers, and beside what the
 * table itself allows.
 */
final class Headline implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final List<Integer> CALLERS = List.of(1, 4, 16, 64, 256, 1_000, 4_000);
  private static final int SQL_CALLERS_MAX = 64;
  private static final List<Integer> CEILINGS = List.of(64, 1_000, 4_000);
  private static final int BESIDE = 64;
  private static final int BATCH = 100;

  /** Figures to reach, by callers. */
  private static final Map<Integer, String> AGAINST_NAIVE =
      Map.of(1, "1.2", 4, "1.5", 16, "6", 64, "20");

  private static final Map<Integer, String> AGAINST_STATEMENT =
      Map.of(1, "0.5", 4, "0.9", 16, "4", 64, "12");
  private static final Map<Integer, String> OF_CEILING =
      Map.of(64, "0.70", 1_000, "0.50", 4_000, "0.55");

  private static final List<Integer> GUEST_CALLERS = List.of(1, 64, 1_000);

  private final List<Contender> guests;

  /** With systems of the user's that take part. */
  Headline(List<Contender> guests) {
    this.guests = List.copyOf(guests);
  }

  @Override
  public Description description() {
    return new Description(
        "hot",
        "One hot account",
        "Group commit without a timer keeps one call a transfer and makes the hot row's turns count.",
        "at 64 callers at least 12 × the transaction everybody writes first",
        "concurrent callers");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload hot = Workload.hot(ACCOUNTS);
    List<Arm> arms = new ArrayList<>();
    for (int callers : profile == Profile.SMOKE ? List.of(4, 64) : CALLERS) {
      Arm partita = Arm.over(new Partita(), hot, callers);
      arms.add(
          CEILINGS.contains(callers) ? partita.then(cell -> ceiling(hot, callers, cell)) : partita);
      if (callers <= SQL_CALLERS_MAX) {
        arms.add(Arm.over(new Naive(Naive.Order.HOT_FIRST), hot, callers));
        arms.add(Arm.over(new OneStatement(), hot, callers));
      }
    }
    if (profile != Profile.SMOKE) {
      arms.addAll(beside(hot));
    }
    for (Contender guest : guests) {
      GUEST_CALLERS.stream()
          .filter(callers -> callers <= guest.card().connectionsMax())
          .forEach(callers -> arms.add(Arm.over(guest, hot, callers)));
    }
    return arms;
  }

  /** Contenders that change the question: shown, and nothing is divided by them. */
  private static List<Arm> beside(Workload hot) {
    return List.of(
        Arm.over(new ReadModifyWrite(), hot, BESIDE),
        Arm.over(new StoredFunction(), hot, BESIDE),
        Arm.over(new SubAccounts(64), hot, BESIDE),
        Arm.over(new EntriesOnly(), hot, BESIDE),
        Arm.over(new PartitaInTransaction(), hot, BESIDE),
        Arm.closed("timer-batches@1000", new TimerBatches(Duration.ofMillis(250)), hot, 1_000)
            .at("timer batches", 1_000),
        Arm.closed("caller-batches@16", new CallerBatches(), hot.batch(BATCH), 16)
            .at("caller batches of " + BATCH, 16),
        Arm.closed("partita-batches@16", new Partita(), hot.batch(BATCH), 16)
            .at("partita, batches of " + BATCH, 16));
  }

  /** What the table allows with batches of the size that Partita's had. */
  static Arm ceiling(Workload workload, int callers, Cell partita) {
    int batch = (int) Math.max(1, Math.round(partita.figure("transfers_per_commit").orElse(1.0)));
    return Arm.closed("ceiling@" + callers, new Ceiling(), workload.batch(batch), 1)
        .at("ceiling", callers);
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (int callers : CALLERS) {
      String partita = "partita@" + callers;
      against(ratios, results, partita, "naive@" + callers, AGAINST_NAIVE.get(callers));
      against(ratios, results, partita, "one-statement@" + callers, AGAINST_STATEMENT.get(callers));
      against(ratios, results, partita, "ceiling@" + callers, OF_CEILING.get(callers));
    }
    if (results.has("naive@64")) {
      ratios.add(
          results.ratio(
              "median response, partita@64 / naive@64",
              "partita@64",
              "naive@64",
              "at most 0.067",
              each -> each.latencies().response().p50()));
    }
    return ratios;
  }

  private static void against(
      List<Ratio> ratios, Results results, String arm, String against, @Nullable String wanted) {
    if (results.has(arm) && results.has(against)) {
      ratios.add(
          results.ratio(
              arm + " / " + against, arm, against, wanted == null ? "" : "at least " + wanted));
    }
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(
        Shapes.atLeast(
            results.ratio("partita@64 / naive@64", "partita@64", "naive@64", ""), 12, 4));
  }

  @Override
  public String summary(Results results) {
    String best =
        CALLERS.stream()
            .map(callers -> "partita@" + callers)
            .filter(results::has)
            .max(Comparator.comparingDouble(results::goodput))
            .orElse("partita@64");
    return "On one hot account 64 callers get "
        + Shapes.text(results.goodput("partita@64"))
        + " transfers/s from Partita and "
        + Shapes.text(results.goodput("naive@64"))
        + " from the transaction everybody writes first ("
        + Shapes.text(results.ratio("", "partita@64", "naive@64", "").median())
        + " ×); Partita's most is "
        + Shapes.text(results.goodput(best))
        + " with "
        + best.substring(best.indexOf('@') + 1)
        + " callers.";
  }
}
