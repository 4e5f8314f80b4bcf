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
import dev.partita.lab.load.OpenLoop;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Retrying;
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
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One arm in one block: makes its tables, loads them, looks at what became of them, and takes them
 * away. For one thread, and once.
 */
final class CellRun {

  /** How long an operation of an open loop waits for a connection. */
  private static final Duration WORKER_WAIT = Duration.ofSeconds(1);

  private static final double NANOS_PER_SECOND = 1e9;

  private final LabDatabase database;
  private final Window window;
  private final Arm arm;
  private final long seed;
  private final Journal journal = new Journal();
  private final Beginning beginning = new Beginning(journal);

  private Measured measured;
  private List<Figure> figures = new ArrayList<>();
  private List<CheckResult> checks = List.of();
  private Map<String, String> durabilityBefore = Map.of();
  private Map<String, String> durabilityAfter = Map.of();
  private final List<String> trouble = new ArrayList<>();
  private final Attempts attempts = new Attempts(Retrying.ATTEMPTS_MAX);
  private String aborted = "";
  private int connections;

  CellRun(LabDatabase database, Window window, Arm arm, long seed) {
    this.database = database;
    this.window = window;
    this.arm = arm;
    this.seed = seed;
    this.measured = Measured.nothing(loop(), window);
  }

  /**
   * Runs it. What goes wrong with the contender is in the cell.
   *
   * @throws SQLException if the place itself cannot be used
   */
  Cell run(int block, int place) throws InterruptedException, SQLException {
    Arena arena =
        database.arena(arm.workload().accounts(), arm.workload().opening(), arm.emulation());
    try {
      HealthWatch health = database.health();
      try (Stage stage = arm.contender().stage(arena)) {
        measure(arena, stage);
        checks = reconciled(arena, stage.stored());
      } catch (SQLException | IOException | RuntimeException e) {
        aborted = "could not be carried out: " + e;
      }
      trouble.addAll(health.check().findings());
    } finally {
      database.drop(arena);
    }
    return cell(block, place);
  }

  private void measure(Arena arena, Stage stage)
      throws SQLException, IOException, InterruptedException {
    durabilityBefore = ServerFacts.durability(arena.login());
    try (Accounting accounting = Accounting.begin(arena, stage.stored())) {
      measured = load(stage);
      figures.addAll(accounting.end(journal.committed()));
      figures.add(
          Figure.of("attempts_per_operation", "attempts for each operation", attempts.mean(), ""));
    }
    durabilityAfter = ServerFacts.durability(arena.login());
  }

  private List<CheckResult> reconciled(Arena arena, @Nullable Stored stored) throws SQLException {
    if (stored != null) {
      return Reconciliation.run(arena, stored, journal);
    }
    return List.of(
        new CheckResult(
            "R2",
            "every read returned the balance that the entries add up to",
            measured.count(Outcome.ERROR),
            List.of(),
            "nothing was written"));
  }

  private Measured load(Stage stage) throws SQLException, InterruptedException {
    int callers =
        switch (arm.load()) {
          case Load.Closed closed -> closed.callers();
          case Load.Open open -> open.workers();
        };
    connections = Math.min(callers, arm.contender().card().connectionsMax());
    boolean idsAreUnique = arm.contender().abilities().contains(Ability.UNIQUE_IDS);
    List<Worker> workers = new ArrayList<>();
    try {
      for (int i = 0; i < callers; i++) {
        workers.add(Retrying.of(stage.worker(), idsAreUnique, attempts, seed + i));
      }
      return switch (arm.load()) {
        case Load.Closed closed ->
            ClosedLoop.run(
                workers, caller -> arm.workload().source(caller, seed), window, beginning);
        case Load.Open open ->
            OpenLoop.run(
                workers,
                arm.workload().source(0, seed),
                arrivals(open),
                new OpenLoop.Limits(open.inFlightMax(), WORKER_WAIT),
                window,
                beginning);
      };
    } finally {
      workers.forEach(Worker::close);
    }
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

  private Cell cell(int block, int place) {
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
                trouble,
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
    int callers = 0;
    Double rate = null;
    switch (arm.load()) {
      case Load.Closed closed -> callers = closed.callers();
      case Load.Open open -> {
        callers = open.inFlightMax();
        rate = open.ratePerSecond();
      }
    }
    return new Setup(
        arm.contender().card().name(),
        arm.series(),
        arm.x(),
        arm.workload().describe(),
        loop(),
        callers,
        connections,
        arm.workload().batch(),
        rate,
        arm.emulation().what(),
        window.warmUp().toNanos() / NANOS_PER_SECOND,
        window.length().toNanos() / NANOS_PER_SECOND,
        seed);
  }
}
