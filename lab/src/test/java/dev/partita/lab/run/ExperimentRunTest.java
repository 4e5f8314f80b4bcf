package dev.partita.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.contender.Arena;
import dev.partita.lab.contender.Card;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.PartitaHttp;
import dev.partita.lab.contender.Stage;
import dev.partita.lab.contender.Stored;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Load;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.load.Answer;
import dev.partita.lab.load.Operation;
import dev.partita.lab.load.Outcome;
import dev.partita.lab.load.Worker;
import dev.partita.lab.report.HtmlReport;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import dev.partita.lab.study.AtRate;
import dev.partita.lab.study.Experiments;
import dev.partita.lab.study.Guests;
import dev.partita.lab.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Experiments from their tables to their verdict, on a real server. No figure is looked at. */
class ExperimentRunTest {

  private static final Workload HOT = Workload.hot(100);
  private static final ExperimentRun.Plan SMOKE =
      new ExperimentRun.Plan(Profile.SMOKE, 7, "partita lab run", "test");

  private static LabDatabase database;

  @BeforeAll
  static void start() throws Exception {
    database =
        LabDatabase.embedded(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-lab-" + System.nanoTime()));
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  /** What users run, in its smallest size. */
  @ParameterizedTest
  @ValueSource(strings = {"E000-1", "E000-4", "E000-7", "E003-2", "hot"})
  void comesOutRight(String name) throws Exception {
    Experiment experiment = Experiments.named(name, Guests.NONE).orElseThrow();
    Run run = ExperimentRun.of(database, experiment, SMOKE, Progress.NOBODY);
    assertThat(run.cells()).hasSizeGreaterThanOrEqualTo(4);
    for (Cell each : run.cells()) {
      assertThat(each.gates())
          .as(each.arm())
          .filteredOn(gate -> gate.effect() == Verdict.INVALID)
          .allMatch(GateResult::held);
      assertThat(each.checks())
          .as(each.arm())
          .extracting(CheckResult::name)
          .contains("R1", "R3", "R4", "R5", "R6", "R11");
      assertThat(each.counts().committed() + each.counts().replayed()).as(each.arm()).isPositive();
      assertThat(each.figure("wal_per_transfer")).as(each.arm()).isPresent();
    }
    assertThat(run.about().arms())
        .containsSubsequence(experiment.arms(Profile.SMOKE).stream().map(Arm::name).toList());
    followersStandBehindTheirLeaders(run, experiment.arms(Profile.SMOKE));
    assertThat(run.findings()).as("a smoke run judges nothing").isEmpty();
    assertThat(RunJson.read(RunJson.write(run))).isEqualTo(run);
    assertThat(HtmlReport.of(run)).contains(run.cells().getFirst().arm());
    assertThat(schemas()).as("left behind").isEmpty();
  }

  @Test
  void aContendersOwnProcessHasItsCpuBesideThatOfItsClients() throws Exception {
    Run run = run(Arm.closed("http", new PartitaHttp(PartitaHttp.Client.PLAIN), HOT, 4));
    Cell cell = run.cells().getFirst();
    assertThat(cell.figure("cpu_process_per_transfer")).hasValueSatisfying(ExperimentRunTest::cost);
    assertThat(cell.figure("cpu_client_per_transfer")).hasValueSatisfying(ExperimentRunTest::cost);
    assertThat(cell.figure("cpu_sessions_per_transfer")).isPresent();
  }

  private static void cost(double micros) {
    assertThat(micros).isPositive();
  }

  private static void followersStandBehindTheirLeaders(Run run, List<Arm> declared) {
    List<String> ran = run.cells().stream().map(Cell::arm).toList();
    List<String> shown = run.about().arms();
    assertThat(shown).hasSameElementsAs(ran);
    List<String> leaders =
        declared.stream().filter(each -> each.next() != null).map(Arm::name).toList();
    for (String each : leaders) {
      assertThat(shown.get(shown.indexOf(each) + 1)).isEqualTo(ran.get(ran.indexOf(each) + 1));
    }
  }

  @Test
  void answersAtAnOfferedRateAreTimedFromWhenTheyWereDue() throws Exception {
    AtRate experiment =
        new AtRate(new Naive(Naive.Order.HOT_FIRST), HOT, new Load.Open(200, false, 200, 4));
    Run run = ExperimentRun.of(database, experiment, SMOKE, Progress.NOBODY);
    Cell cell = run.cells().getFirst();
    assertThat(cell.setup().ratePerSecond()).isEqualTo(200);
    assertThat(cell.gates()).extracting(GateResult::id).contains("G03", "G04");
    assertThat(cell.checks()).isNotEmpty().allMatch(each -> each.broken() == 0);
  }

  @Test
  void aContenderThatLosesTransfersHasNoFigures() throws Exception {
    Run run = run(Arm.closed("liar", new Spoilt(stage -> new Forgetful(stage)), HOT, 2));
    assertThat(run.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(run.summary()).contains("no figure of this run may be used");
    assertThat(run.cells().getFirst().failedGates())
        .extracting(GateResult::id)
        .containsExactly("G02");
    assertThat(run.cells().getFirst().checks())
        .filteredOn(each -> each.broken() > 0)
        .extracting(CheckResult::name)
        .contains("R3", "R4");
    assertThat(schemas()).isEmpty();
  }

  @Test
  void aTargetThatDoesNotWorkIsNotAskedForLong() throws Exception {
    Run run = run(Arm.closed("dead", new Spoilt(stage -> new Dead(stage)), HOT, 2));
    Cell cell = run.cells().getFirst();
    assertThat(cell.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(cell.failedGates()).extracting(GateResult::id).contains("G12");
    assertThat(cell.counts().offered()).as("stopped at once").isLessThan(2_000);
  }

  @Test
  void aContenderWithoutTablesSpoilsOnlyItsOwnCell() throws Exception {
    Run run =
        run(
            Arm.closed("broken", new Unmakable(), HOT, 2),
            Arm.closed("naive", new Naive(Naive.Order.HOT_FIRST), HOT, 2));
    assertThat(run.cells())
        .filteredOn(each -> each.arm().equals("broken"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.verdict()).isEqualTo(Verdict.INVALID);
              assertThat(each.failedGates())
                  .filteredOn(gate -> gate.id().equals("G11"))
                  .singleElement()
                  .satisfies(gate -> assertThat(gate.observed()).contains("no tables today"));
            });
    assertThat(run.cells())
        .filteredOn(each -> each.arm().equals("naive"))
        .allMatch(each -> each.verdict().usable());
    assertThat(schemas()).isEmpty();
  }

  @Test
  void armsThatTheDatabaseForbidsAreLeftOutAndSaid() throws Exception {
    Arm arm = Arm.closed("naive", new Naive(Naive.Order.HOT_FIRST), HOT, 2);
    Emulation forbidden = Emulation.session(", forbidden", "log_statement_stats", "on");
    Run run = run(arm, arm.under(forbidden));
    assertThat(run.cells()).extracting(Cell::arm).containsExactly("naive");
    assertThat(run.place().warnings())
        .anyMatch(each -> each.contains("left out") && each.contains("log_statement_stats"));
  }

  private static Run run(Arm... arms) throws Exception {
    return ExperimentRun.of(database, new Listed(List.of(arms)), SMOKE, Progress.NOBODY);
  }

  private static List<String> schemas() throws SQLException {
    try (Connection connection = database.login().connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'lab\\_%'")) {
      List<String> names = new ArrayList<>();
      while (rows.next()) {
        names.add(rows.getString(1));
      }
      return names;
    }
  }

  /** Arms without a question. */
  private record Listed(List<Arm> list) implements Experiment {
    @Override
    public Description description() {
      return new Description("test", "test", "", "", "");
    }

    @Override
    public List<Arm> arms(Profile profile) {
      return list;
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
      return "";
    }
  }

  /** The naive transaction with something wrong about its workers. */
  private record Spoilt(UnaryOperator<Worker> fault) implements Contender {
    @Override
    public Card card() {
      return new Naive(Naive.Order.HOT_FIRST).card();
    }

    @Override
    public Stage stage(Arena arena) throws IOException, SQLException {
      Stage stage = new Naive(Naive.Order.HOT_FIRST).stage(arena);
      return new Stage() {
        @Override
        public Worker worker() throws SQLException {
          return fault.apply(stage.worker());
        }

        @Override
        public @Nullable Stored stored() {
          return stage.stored();
        }

        @Override
        public void close() throws IOException, SQLException {
          stage.close();
        }
      };
    }
  }

  /** Says of every tenth transfer that it was made, and makes it not. */
  private static final class Forgetful implements Worker {
    private final Worker worker;
    private int count;

    Forgetful(Worker worker) {
      this.worker = worker;
    }

    @Override
    public Answer perform(Operation operation) {
      return ++count % 10 == 0 ? Answer.committed(operation.size()) : worker.perform(operation);
    }

    @Override
    public void close() {
      worker.close();
    }
  }

  /** Fails at once. */
  private record Dead(Worker worker) implements Worker {
    @Override
    public Answer perform(Operation operation) {
      return Answer.failed(Outcome.ERROR);
    }

    @Override
    public void close() {
      worker.close();
    }
  }

  private static final class Unmakable implements Contender {
    @Override
    public Card card() {
      return new Card("unmakable", "", "", List.of(), 1, "", "nothing", 64);
    }

    @Override
    public Stage stage(Arena arena) throws SQLException {
      throw new SQLException("no tables today");
    }
  }
}
