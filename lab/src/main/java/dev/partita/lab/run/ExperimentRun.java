package dev.partita.lab.run;

import dev.partita.lab.contender.Card;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.load.Window;
import dev.partita.lab.result.About;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Place;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Carries out one experiment: every arm once in every block, the arms of a block in random order,
 * so that what changes meanwhile on the machine touches all of them. For one thread, and once.
 */
public final class ExperimentRun {

  private static final Duration REHEARSAL = Duration.ofMillis(1_500);
  private static final int REHEARSAL_CALLERS = 16;

  /** The gate that tells why a cell ended before its time. */
  private static final String ENDED_EARLY = "G11";

  private final LabDatabase database;
  private final Place place;
  private final Turns turns;
  private final Experiment experiment;
  private final Plan plan;
  private final Progress progress;
  private final List<Cell> cells = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, Card> cards = new LinkedHashMap<>();

  /** Arms that depended on another, by the name of that one. */
  private final Map<String, String> followed = new HashMap<>();

  private int expected;

  /**
   * How to go about it.
   *
   * @param profile how much
   * @param seed of all choices
   * @param command how to run it again, in words
   * @param version of Partita
   */
  public record Plan(Profile profile, long seed, String command, String version) {}

  private ExperimentRun(
      LabDatabase database, Place place, Experiment experiment, Plan plan, Progress progress) {
    this.database = database;
    this.place = place;
    this.turns = new Turns(database, place);
    this.experiment = experiment;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Carries it out.
   *
   * @throws SQLException if the database cannot be used at all
   * @throws InterruptedException if the thread was interrupted; nothing is left behind
   */
  public static Run of(LabDatabase database, Experiment experiment, Plan plan, Progress progress)
      throws InterruptedException, SQLException, IOException {
    Instant started = Instant.now();
    progress.began("looking at machine and server", 0, 0);
    Place place = PlaceFacts.of(database);
    return new ExperimentRun(database, place, experiment, plan, progress).run(started);
  }

  private Run run(Instant started) throws InterruptedException, SQLException, IOException {
    List<Arm> arms = possible(experiment.arms(plan.profile()));
    int followers = (int) arms.stream().filter(each -> each.next() != null).count();
    expected = plan.profile().blocks() * (arms.size() + followers);
    Window window =
        Window.of(
            plan.profile().warmUp(),
            plan.profile().window(arms.size() + followers, experiment.windowMax(plan.profile())));
    if (plan.profile() != Profile.SMOKE) {
      rehearse(arms);
    }
    Random order = new Random(plan.seed());
    for (int block = 1; block <= plan.profile().blocks(); block++) {
      List<Arm> turn = new ArrayList<>(arms);
      Collections.shuffle(turn, order);
      // The same choices for all arms of a block, others in each block.
      long seed = order.nextLong();
      for (Arm arm : turn) {
        Cell cell = cell(arm, block, seed, window);
        if (arm.next() != null) {
          Arm next = arm.next().apply(cell);
          followed.put(arm.name(), next.name());
          cell(next, block, seed, window);
        }
      }
    }
    return result(started, declared(arms));
  }

  /** Names of all arms as they were declared, each follower right after the one it followed. */
  private List<String> declared(List<Arm> arms) {
    return arms.stream()
        .map(Arm::name)
        .flatMap(name -> Stream.concat(Stream.of(name), Stream.ofNullable(followed.get(name))))
        .toList();
  }

  /** Without arms that this database does not allow. */
  private List<Arm> possible(List<Arm> arms) {
    Map<Emulation, String> refusals = new LinkedHashMap<>();
    List<Arm> possible =
        arms.stream()
            .filter(arm -> refusals.computeIfAbsent(arm.emulation(), database::refuses).isEmpty())
            .toList();
    refusals.forEach(
        (emulation, refusal) -> {
          if (!refusal.isEmpty()) {
            warnings.add("arms were left out, " + emulation.what() + ": " + refusal);
          }
        });
    return possible;
  }

  /** Short loads that nobody looks at: the first arm would pay for the compiler otherwise. */
  private void rehearse(List<Arm> arms) throws InterruptedException, SQLException {
    Map<String, Arm> each = new LinkedHashMap<>();
    arms.forEach(arm -> each.putIfAbsent(arm.contender().card().name(), arm));
    for (Arm arm : each.values()) {
      progress.began("rehearsal: " + arm.contender().card().name(), 0, expected);
      Load load = new Load.Closed(REHEARSAL_CALLERS);
      Arm rehearsal = arm.loaded(load);
      CellRun.of(database, Window.of(Duration.ZERO, REHEARSAL), rehearsal, plan.seed(), 0, 0);
    }
  }

  private Cell cell(Arm arm, int block, long seed, Window window)
      throws InterruptedException, SQLException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    progress.began(arm.name(), cells.size(), expected);
    Card card = arm.contender().card();
    cards.putIfAbsent(card.name(), card);
    Cell ran = CellRun.of(database, window, arm, seed, block, cells.size() + 1);
    Cell cell = ran.with(turns.of(arm, ran));
    if (Thread.interrupted()) {
      // It may have gone wrong because of it.
      throw new InterruptedException();
    }
    cells.add(cell);
    progress.ended(cell);
    return cell;
  }

  private Run result(Instant started, List<String> arms) {
    Results results = new Results(cells);
    Verdict verdict =
        cells.stream().map(Cell::verdict).reduce(Verdict::and).orElse(Verdict.INVALID);
    boolean judged = plan.profile().judges() && verdict.usable();
    List<Ratio> ratios =
        judged
            ? experiment.ratios(results).stream().filter(r -> !r.perBlock().isEmpty()).toList()
            : List.of();
    List<Finding> findings = judged ? experiment.findings(results) : List.of();
    return new Run(
        Run.FORMAT,
        about(experiment.description(), arms, plan, started),
        place.with(warnings),
        List.copyOf(cards.values()),
        cells,
        ratios,
        findings,
        verdict,
        summary(verdict, results));
  }

  private String summary(Verdict verdict, Results results) {
    if (!verdict.usable()) {
      return "Something did not come out right, so no figure of this run may be used. " + trouble();
    }
    return plan.profile().judges()
        ? experiment.summary(results)
        : "Everything came out right; a smoke run is too short for figures.";
  }

  /** The first of it; if a cell ended before its time, then why: the rest follows from that. */
  private String trouble() {
    return cells.stream()
        .filter(cell -> !cell.verdict().usable())
        .findFirst()
        .flatMap(
            cell ->
                cell.failedGates().stream()
                    .filter(gate -> gate.effect() == Verdict.INVALID)
                    .max(Comparator.comparing(gate -> gate.id().equals(ENDED_EARLY)))
                    .map(gate -> cell.arm() + ": " + gate.what() + ": " + gate.observed() + "."))
        .orElse("");
  }

  /** What is known of a run in advance, and how long it took. */
  static About about(
      Experiment.Description description, List<String> arms, Plan plan, Instant started) {
    return new About(
        description.name(),
        description.title(),
        description.claim(),
        description.expected(),
        description.xAxis(),
        arms,
        plan.command(),
        plan.profile().title(),
        plan.seed(),
        started.truncatedTo(ChronoUnit.SECONDS).toString(),
        Duration.between(started, Instant.now()).toSeconds(),
        plan.version());
  }
}
