package dev.partita.lab.run;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment.Description;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.knee.Criterion;
import dev.partita.lab.knee.Knee;
import dev.partita.lab.knee.KneeSearch;
import dev.partita.lab.knee.OpenLoopProber;
import dev.partita.lab.knee.Plan;
import dev.partita.lab.knee.Rig;
import dev.partita.lab.knee.Rigs;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.Source;
import dev.partita.lab.load.Window;
import dev.partita.lab.load.Worker;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Place;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import dev.partita.lab.workload.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate at which a contender keeps a promise. Every probe is a cell: fresh
 * tables, a window in an open loop, reconciliation, gates. For one thread, and once.
 */
public final class KneeRun {

  private static final Duration SEED_LENGTH = Duration.ofSeconds(10);
  private static final double TRUSTED = 0.5;
  private static final Set<String> WRONG = Set.of("G01", "G02", "G13", "G14");
  private static final double NANOS_PER_MICRO = 1e3;

  private final LabDatabase database;
  private final Target target;
  private final ExperimentRun.Plan plan;
  private final Progress progress;
  private final List<Cell> cells = new ArrayList<>();

  /**
   * What is searched.
   *
   * @param contender who is asked
   * @param workload for what
   * @param connections of the contender
   * @param criterion the promise
   */
  public record Target(
      Contender contender, Workload workload, int connections, Criterion criterion) {}

  private KneeRun(LabDatabase database, Target target, ExperimentRun.Plan plan, Progress progress) {
    this.database = database;
    this.target = target;
    this.plan = plan;
    this.progress = progress;
  }

  /** Searches; the answer is the run's finding and summary, each probe one of its cells. */
  public static Run of(
      LabDatabase database, Target target, ExperimentRun.Plan plan, Progress progress)
      throws InterruptedException, SQLException, IOException {
    return new KneeRun(database, target, plan, progress).run();
  }

  private Run run() throws InterruptedException, SQLException, IOException {
    Instant started = Instant.now();
    progress.began("looking at machine and server", 0, 0);
    Place place = PlaceFacts.of(database);
    Cell calm = closedLoop();
    if (!calm.verdict().usable()) {
      cells.add(calm);
      progress.ended(calm);
      return result(started, place, Verdict.INVALID, List.of(), "it does not work");
    }
    double start = Math.max(1, calm.counts().goodputPerSecond() / target.workload().batch()) / 2;
    double ceiling = TRUSTED * place.baseline("generator_limit").orElseThrow();
    Plan search =
        plan.profile() == Profile.FULL
            ? Plan.full(start, ceiling, plan.seed())
            : Plan.quick(start, ceiling, plan.seed());
    OpenLoopProber prober = new OpenLoopProber(ProbeRig::new, settings());
    Knee knee = KneeSearch.run(search, target.criterion(), prober, probe -> {}, List.of());
    return result(started, place, knee);
  }

  private Window window() {
    return switch (plan.profile()) {
      case SMOKE -> Window.of(Duration.ofMillis(500), Duration.ofSeconds(2));
      case QUICK -> Window.of(Duration.ofSeconds(3), Duration.ofSeconds(20));
      case FULL -> Window.of(Duration.ofSeconds(10), Duration.ofSeconds(120));
    };
  }

  /** The generator may be late by a twentieth of the time that is promised, and always by 1 ms. */
  private OpenLoopProber.Settings settings() {
    OpenLoopProber.Settings usual = OpenLoopProber.Settings.of(window());
    double promised =
        target.criterion().limitMicros().orElse(usual.workerWait().toNanos() / NANOS_PER_MICRO);
    Duration twentieth = Duration.ofNanos(Math.round(promised * NANOS_PER_MICRO / 20));
    return new OpenLoopProber.Settings(
        usual.window(),
        usual.workerWait(),
        usual.settle(),
        twentieth.compareTo(usual.lagMax()) > 0 ? twentieth : usual.lagMax());
  }

  /** What as many callers as there are connections reach: half of it is a place to begin at. */
  private Cell closedLoop() throws InterruptedException, SQLException {
    progress.began("closed loop, to know where to begin", 0, 0);
    Arm arm =
        new Arm(
            "closed loop",
            target.contender(),
            target.workload(),
            new Load.Closed(target.connections()));
    return CellRun.of(
        database, Window.of(Duration.ofSeconds(2), SEED_LENGTH), arm, plan.seed(), 1, 1);
  }

  /** A busy machine may be tried again; books that are wrong once are wrong. */
  private static boolean isWrong(GateResult gate) {
    return WRONG.contains(gate.id());
  }

  private Run result(Instant started, Place place, Knee knee) {
    // Beyond the knee a target is expected to fail what it is asked.
    Verdict verdict =
        switch (knee.kind()) {
          case KNEE, LOWER_BOUND, UNSTABLE -> Verdict.VALID;
          case NO_PASSING_RATE -> Verdict.FAILED;
          case ABORTED -> Verdict.INVALID;
        };
    if (cells.stream().flatMap(each -> each.failedGates().stream()).anyMatch(KneeRun::isWrong)) {
      verdict = Verdict.INVALID;
    }
    Finding finding =
        new Finding(
            target.criterion().title(),
            "a rate that passes and one that fails, each again when repeated",
            words(knee),
            knee.kind() == Knee.Kind.KNEE ? Finding.Outcome.SHOWN : Finding.Outcome.UNCLEAR);
    return result(
        started,
        place.with(knee.remarks()),
        verdict,
        List.of(finding),
        words(knee) + " (" + knee.criterion() + ")");
  }

  private Run result(
      Instant started, Place place, Verdict verdict, List<Finding> findings, String summary) {
    return new Run(
        Run.FORMAT,
        ExperimentRun.about(
            new Description(
                "knee",
                "The knee of " + target.contender().card().name(),
                "Below its knee a target keeps its promise at any rate; above it, at none.",
                target.criterion().title(),
                "operations offered a second"),
            ratesAscending(),
            plan,
            started),
        place,
        List.of(target.contender().card()),
        cells,
        List.of(),
        findings,
        verdict,
        target.contender().card().name() + ": " + summary + ".");
  }

  /** Names of all probes' arms, the lowest rate first. */
  private List<String> ratesAscending() {
    return cells.stream()
        .sorted(Comparator.comparingDouble(KneeRun::rate))
        .map(Cell::arm)
        .distinct()
        .toList();
  }

  private static double rate(Cell probe) {
    return Objects.requireNonNullElse(probe.setup().ratePerSecond(), 0.0);
  }

  private static String words(Knee knee) {
    return switch (knee.kind()) {
      case KNEE ->
          "keeps the promise at "
              + Shapes.text(knee.lo())
              + "/s and breaks it at "
              + Shapes.text(knee.hi())
              + "/s"
              + estimate(knee)
              + recovery(knee);
      case LOWER_BOUND ->
          "keeps the promise at "
              + Shapes.text(knee.lo())
              + "/s, the most that can be offered here";
      case NO_PASSING_RATE -> "keeps the promise at no rate";
      case UNSTABLE ->
          "somewhere about "
              + Shapes.text(knee.lo())
              + " to "
              + Shapes.text(knee.hi())
              + "/s, but repeated probes do not agree";
      case ABORTED -> "not found: " + knee.remarks().getLast();
    };
  }

  private static String estimate(Knee knee) {
    Knee.Estimate estimate = knee.estimate();
    return estimate == null ? "" : "; by the fit about " + Shapes.text(estimate.rate()) + "/s";
  }

  private static String recovery(Knee knee) {
    return switch (knee.recovery()) {
      case RECOVERED -> "; it recovers from too much";
      case NOT_RECOVERED -> "; after too much it does not come back within 30 s";
      case UNKNOWN -> "";
    };
  }

  /** One probe as a cell. */
  private final class ProbeRig implements Rig {
    private final CellRun cell;
    private final long seed;

    ProbeRig(Rigs.Ask ask) {
      this.seed = ask.seed();
      Load load = new Load.Open(ask.rate(), false, ask.places(), target.connections());
      String name =
          String.format(Locale.ROOT, "%,.0f/s", ask.rate())
              + (ask.recovers() ? " after too much" : "");
      String series = target.contender().card().name();
      Arm arm =
          new Arm(name, target.contender(), target.workload(), load)
              .at(ask.recovers() ? series + " after too much" : series, ask.rate());
      progress.began("probe " + (cells.size() + 1) + ", " + name, 0, 0);
      this.cell = new CellRun(database, ask.window(), arm, seed);
      try {
        cell.open();
      } catch (SQLException | IOException | RuntimeException e) {
        close();
        throw new IllegalStateException("a probe could not be made ready: " + e, e);
      }
    }

    @Override
    public List<Worker> workers() {
      return cell.workers();
    }

    @Override
    public Source source() {
      return cell.source(0);
    }

    @Override
    public Observer observer() {
      return cell.observer();
    }

    @Override
    public @Nullable String complaint(Measured measured) {
      Cell concluded = cell.conclude(measured, "", 1, cells.size() + 1);
      cells.add(concluded);
      progress.ended(concluded);
      return concluded.verdict() == Verdict.INVALID
          ? "gates failed: " + concluded.failedGates()
          : null;
    }

    @Override
    public void close() {
      try {
        cell.close();
      } catch (SQLException e) {
        throw new IllegalStateException("a probe left tables behind, seed " + seed + ": " + e, e);
      }
    }
  }
}
