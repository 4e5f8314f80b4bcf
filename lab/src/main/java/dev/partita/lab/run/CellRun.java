package dev.partita.lab.run;

import dev.partita.lab.arrival.Arrivals;
import dev.partita.lab.contender.Ability;
import dev.partita.lab.contender.Arena;
import dev.partita.lab.contender.Stage;
import dev.partita.lab.contender.Stored;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.gate.Evidence;
import dev.partita.lab.gate.Gates;
import dev.partita.lab.load.Attempts;
import dev.partita.lab.load.ClosedLoop;
import dev.partita.lab.load.Measured;
import dev.partita.lab.load.Observer;
import dev.partita.lab.load.OpenLoop;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Retrying;
import dev.partita.lab.load.Source;
import dev.partita.lab.load.Window;
import dev.partita.lab.load.Worker;
import dev.partita.lab.reconcile.Journal;
import dev.partita.lab.reconcile.Reconciliation;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Counts;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Setup;
import dev.partita.lab.server.HealthWatch;
import dev.partita.lab.server.ServerFacts;
import dev.partita.lab.workload.Skew;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One arm in one block: makes its tables, hands out workers to load them with, looks at what became
 * of them, and takes them away when it is closed. For one thread, and once.
 */
final class CellRun implements AutoCloseable {

  /** How long an operation of an open loop waits for a connection. */
  private static final Duration WORKER_WAIT = Duration.ofSeconds(1);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int SKEW_DRAWS = 50_000;

  private final LabDatabase database;
  private final Window window;
  private final Arm arm;
  private final long seed;
  private final Journal journal = new Journal();
  private final Beginning beginning = new Beginning(journal);
  private final Attempts attempts = new Attempts(Retrying.ATTEMPTS_MAX);
  private final List<Worker> workers = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();

  private @Nullable Arena arena;
  private @Nullable Stage stage;
  private @Nullable Stored stored;
  private @Nullable Accounting accounting;
  private @Nullable HealthWatch health;
  private Map<String, String> durabilityBefore = Map.of();
  private Map<String, String> durabilityAfter = Map.of();

  CellRun(LabDatabase database, Window window, Arm arm, long seed) {
    this.database = database;
    this.window = window;
    this.arm = arm;
    this.seed = seed;
  }

  /**
   * Runs an arm from its tables to its verdict. What goes wrong with the contender is in the cell.
   *
   * @throws SQLException if the place itself cannot be used
   */
  static Cell of(LabDatabase database, Window window, Arm arm, long seed, int block, int place)
      throws InterruptedException, SQLException {
    try (CellRun cell = new CellRun(database, window, arm, seed)) {
      Measured measured = Measured.nothing(cell.loop(), window);
      String aborted = "";
      try {
        cell.open();
        measured = cell.load();
      } catch (SQLException | IOException | RuntimeException e) {
        aborted = "could not be carried out: " + e;
      }
      return cell.conclude(measured, aborted, block, place);
    }
  }

  /** Makes the tables, fills them and connects. */
  void open() throws SQLException, IOException {
    Arena made =
        database.arena(arm.workload().accounts(), arm.workload().opening(), arm.emulation());
    arena = made;
    health = database.health();
    Stage ready = arm.contender().stage(made);
    stage = ready;
    durabilityBefore = ServerFacts.durability(made.login());
    stored = ready.stored();
    accounting = Accounting.begin(made, stored, ready.process().orElse(null));
    boolean idsAreUnique = arm.contender().abilities().contains(Ability.UNIQUE_IDS);
    for (int i = 0; i < callers(); i++) {
      workers.add(Retrying.of(ready.worker(), idsAreUnique, attempts, seed + i));
    }
  }

  /** Who carries out operations: as many as the arm has callers or connections. */
  List<Worker> workers() {
    return workers;
  }

  /** What one caller offers. */
  Source source(int caller) {
    return arm.workload().source(caller, seed);
  }

  /** Must be told of every operation. */
  Observer observer() {
    return beginning;
  }

  private int callers() {
    return switch (arm.load()) {
      case Load.Closed closed -> closed.callers();
      case Load.Open open -> open.workers();
    };
  }

  private Measured load() throws InterruptedException {
    return switch (arm.load()) {
      case Load.Closed closed -> ClosedLoop.run(workers, this::source, window, beginning);
      case Load.Open open ->
          OpenLoop.run(
              workers,
              source(0),
              arrivals(open),
              new OpenLoop.Limits(open.inFlightMax(), WORKER_WAIT),
              window,
              beginning);
    };
  }

  private Arrivals arrivals(Load.Open open) {
    return open.evenly()
        ? Arrivals.constant(open.ratePerSecond())
        : Arrivals.poisson(open.ratePerSecond(), seed);
  }

  private String loop() {
    return switch (arm.load()) {
      case Load.Closed closed -> "closed loop, " + closed.callers() + " callers";
      case Load.Open open -> "open loop, " + arrivals(open).describe();
    };
  }

  /**
   * Ends the load, reconciles, and judges.
   *
   * @param aborted why the load ended before its time; empty if it did not
   */
  Cell conclude(Measured measured, String aborted, int block, int place) {
    String trouble = aborted;
    List<CheckResult> checks = List.of();
    try {
      settleAccounts();
      if (trouble.isEmpty()) {
        checks = reconciled(measured);
      }
    } catch (SQLException | RuntimeException e) {
      trouble = (trouble + " could not be accounted for: " + e).strip();
    }
    return cell(measured, checks, trouble, block, place);
  }

  private void settleAccounts() throws SQLException {
    workers.forEach(Worker::close);
    if (accounting != null) {
      accounting.loadEnded();
      stored = Objects.requireNonNull(stage).stored();
      leave();
      figures.addAll(accounting.end(journal.committed()));
      skew();
      figures.add(
          Figure.of("attempts_per_operation", "attempts for each operation", attempts.mean(), ""));
    }
    if (arena != null) {
      durabilityAfter = ServerFacts.durability(arena.login());
    }
  }

  /**
   * How uneven the accounts were that were picked: drawn again, so that it costs the load nothing.
   */
  private void skew() {
    Skew skew =
        Skew.of(source(0), arm.workload().accounts(), SKEW_DRAWS / arm.workload().batch() + 1);
    String drawn = "of " + skew.transfers() + " transfers drawn again from the same seed";
    figures.add(
        percent(
            "skew_hottest",
            "transfers that touch the hottest account",
            skew.transfersOnHottest(),
            drawn));
    figures.add(
        percent("skew_top_ten", "touches of the ten hottest accounts", skew.topTen(), drawn));
    figures.add(
        percent(
            "skew_top_percent",
            "touches of the hottest 1 % of accounts",
            skew.topPercent(),
            drawn));
    figures.add(
        new Figure(
            "skew_effective_accounts",
            "accounts that would meet as often if all were alike",
            skew.effectiveAccounts(),
            "",
            drawn));
  }

  private static Figure percent(String key, String name, double share, String note) {
    return new Figure(key, name, 100 * share, "%", note);
  }

  private List<CheckResult> reconciled(Measured measured) throws SQLException {
    if (stored != null) {
      return Reconciliation.run(Objects.requireNonNull(arena), stored, journal);
    }
    return List.of(
        new CheckResult(
            "R2",
            "every read returned the balance that the entries add up to",
            measured.count(Outcome.ERROR),
            List.of(),
            "nothing was written"));
  }

  private Cell cell(
      Measured measured, List<CheckResult> checks, String aborted, int block, int place) {
    Counts counts = Counts.of(measured);
    Latencies latencies = Latencies.of(measured);
    Setup setup = setup();
    List<GateResult> gates =
        Gates.judge(
            new Evidence(
                setup,
                counts,
                latencies.lag(),
                checks,
                aborted,
                beginning.seen(),
                arm.contender().card().verifies(),
                durabilityBefore,
                durabilityAfter,
                health == null ? List.of() : health.check().findings(),
                arm.workload().refusals(),
                measured.clamped()));
    return new Cell(
        arm.name(),
        block,
        place,
        setup,
        counts,
        latencies,
        measured.committedBySecond(),
        figures,
        checks,
        gates,
        Gates.verdict(gates));
  }

  private Setup setup() {
    return new Setup(
        arm.contender().card().name(),
        arm.series(),
        arm.x(),
        arm.workload().describe(),
        loop(),
        arm.load() instanceof Load.Open load ? load.inFlightMax() : callers(),
        Math.min(callers(), arm.contender().card().connectionsMax()),
        arm.workload().batch(),
        arm.load() instanceof Load.Open load ? (Double) load.ratePerSecond() : null,
        arm.emulation().what(),
        window.warmUp().toNanos() / NANOS_PER_SECOND,
        window.length().toNanos() / NANOS_PER_SECOND,
        seed);
  }

  /** Takes away what was made. */
  @Override
  public void close() throws SQLException {
    try {
      workers.forEach(Worker::close);
    } finally {
      try {
        leave();
      } finally {
        takeAway();
      }
    }
  }

  private void takeAway() throws SQLException {
    try {
      if (accounting != null) {
        accounting.close();
      }
    } finally {
      if (arena != null) {
        database.drop(arena);
      }
    }
  }

  /** The contender's sessions end, and with that what they did is counted. */
  private void leave() throws SQLException {
    Stage open = stage;
    stage = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new SQLException("a contender could not be taken away: " + e, e);
      }
    }
  }
}
