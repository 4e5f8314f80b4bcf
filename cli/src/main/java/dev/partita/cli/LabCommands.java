package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Target;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.lab.LabCatalogue;
import dev.partita.cli.lab.LabDirectory;
import dev.partita.cli.lab.LabFailures;
import dev.partita.cli.lab.LabPlace;
import dev.partita.cli.lab.LabProgress;
import dev.partita.cli.lab.TargetOptions;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Text;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.report.DocumentTables;
import dev.partita.lab.report.HtmlReport;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.report.TextReport;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import dev.partita.lab.run.ExperimentRun;
import dev.partita.lab.run.KneeRun;
import dev.partita.lab.run.LabDatabase;
import dev.partita.lab.run.Progress;
import dev.partita.lab.study.Experiments;
import dev.partita.lab.study.Guests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The load lab. */
@Command(
    name = "lab",
    header = "Measure what a hot row costs, on your own database.",
    subcommands = {LabCommands.ListAll.class, LabCommands.RunOne.class, LabCommands.Report.class})
final class LabCommands extends CommandGroup {

  private static final int TERMINAL_COLUMNS = 80;

  @Command(name = "list", header = "List experiments and contenders.")
  static final class ListAll implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Partita root = Partita.of(spec);
      int columns = columns(root);
      root.output()
          .answer(LabCatalogue::document, terminal -> LabCatalogue.print(terminal, columns));
      return ExitCode.OK.number();
    }
  }

  @Command(
      name = "run",
      header = "Run one experiment and write a report.",
      description = {
        "Every arm gets tables of its own and has its turn in every block, in random order; after"
            + " each, what clients were told is compared with what is stored. A run has a verdict"
            + " before it has a number.",
        "",
        "Nothing that exists is touched: with --url the lab makes schemas of its own there (the"
            + " login must be allowed to) and drops them; otherwise it starts an embedded database"
            + " in a new directory beside --data and removes it. It loads the server as hard as it"
            + " can: do not point it at a database that others are using.",
        "",
        "Beside the experiments of partita lab list:",
        "  rate   how long transfers of one contender take at an offered rate (--target, --rate)",
        "  knee   the highest rate at which one contender keeps a promise (--target, --p99)",
        "",
        "Profiles: smoke takes seconds and shows that all comes out right; quick takes minutes, and"
            + " wide margins may be believed; full takes hours, six blocks of a minute for each"
            + " arm.",
        "",
        "The exit code is 0 if figures may be used, and 6 if the verdict is INVALID or FAILED.",
      },
      footer = {
        "",
        "Examples:",
        "  partita lab run hot",
        "  partita lab run E000-1 --profile full --url jdbc:postgresql://localhost/lab --user me",
        "  partita lab run rate --target partita --rate 5000",
      })
  static final class RunOne implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAME", description = "Which, see partita lab list.")
    private String name = "";

    @Option(
        names = "--profile",
        paramLabel = "NAME",
        description = "smoke, quick (default) or full.")
    private String profile = "quick";

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Repeats the choices of a run. Default: a new one.")
    private @Nullable String seed;

    @Option(
        names = "--results",
        paramLabel = "DIR",
        description = "Where a directory for the report is made. Default: ./lab-results.")
    private String results = "lab-results";

    @Option(
        names = "--pgledger",
        paramLabel = "DIR",
        description = "Also ask pgledger: the folder of its SQL files.")
    private @Nullable String pgledger;

    @Option(
        names = "--tigerbeetle",
        paramLabel = "ADDRESS",
        description =
            "Also ask TigerBeetle, cluster 0 there; its client must be on the class path.")
    private @Nullable String tigerBeetle;

    @Mixin private TargetOptions options = new TargetOptions();

    @Override
    public Integer call() throws InterruptedException {
      Partita root = Partita.of(spec);
      root.output();
      Target target = root.targetOnPurpose();
      Work work = work(guests());
      ExperimentRun.Plan plan = plan();
      LabDirectory directory = LabDirectory.in(results, name);
      try {
        return exitCode(run(root, target, work, plan, directory)).number();
      } catch (InterruptedException | IOException | SQLException | RuntimeException e) {
        throw LabFailures.of(e, root.world().interrupted().getAsBoolean());
      } finally {
        directory.discardIfEmpty();
      }
    }

    private Verdict run(
        Partita root, Target target, Work work, ExperimentRun.Plan plan, LabDirectory directory)
        throws InterruptedException, IOException, SQLException {
      Output output = root.output();
      try (LabProgress progress =
          new LabProgress(output.terminal(), columns(root), output.json())) {
        progress.began(target.url() == null ? "starting a database" : "connecting", 0, 0);
        try (LabDatabase database = LabPlace.open(target)) {
          root.world().opening().accept(database::abandon);
          Run run = work.run(database, plan, progress);
          if (root.world().interrupted().getAsBoolean() || Thread.interrupted()) {
            throw new InterruptedException();
          }
          // Before anything is taken away: whatever goes wrong then, the result is there.
          keep(root, run, directory, progress);
          return run.verdict();
        }
      }
    }

    private static void keep(Partita root, Run run, LabDirectory directory, LabProgress progress) {
      progress.close();
      try {
        directory.write(run);
      } catch (IOException e) {
        print(root, run, "not written");
        throw new MisuseException(
            "--results", "cannot be written (" + e + "); the result is what was printed");
      }
      print(root, run, directory.report().toString());
    }

    /** What is carried out once there is a database. */
    private interface Work {
      Run run(LabDatabase database, ExperimentRun.Plan plan, Progress progress)
          throws InterruptedException, IOException, SQLException;
    }

    private Work work(Guests guests) {
      if (name.equals("knee")) {
        Contender contender = options.kneeTarget(guests);
        KneeRun.Target target =
            new KneeRun.Target(
                contender,
                options.workload(contender),
                options.workers(contender, Integer.MAX_VALUE),
                options.criterion());
        return (database, plan, progress) -> KneeRun.of(database, target, plan, progress);
      }
      Experiment experiment = name.equals("rate") ? options.atRate(guests) : listed(guests);
      return (database, plan, progress) -> ExperimentRun.of(database, experiment, plan, progress);
    }

    private Experiment listed(Guests guests) {
      options.refuseAll();
      return Experiments.named(name, guests)
          .orElseThrow(
              () ->
                  new MisuseException(
                      "NAME", Text.quote(name) + " is no experiment; see partita lab list"));
    }

    private ExperimentRun.Plan plan() {
      long chosen = Arguments.seed(seed);
      return new ExperimentRun.Plan(
          Arguments.choice("--profile", profile, Profile.class),
          chosen,
          command(chosen),
          Partita.version());
    }

    private Guests guests() {
      Guests guests =
          new Guests(pgledger == null ? null : path("--pgledger", pgledger), tigerBeetle);
      Arguments.named("--pgledger", new Guests(guests.pgledger(), null)::contenders);
      Arguments.named("--tigerbeetle", new Guests(null, guests.tigerBeetle())::contenders);
      return guests;
    }

    /** Without what says where: a report must not tell. */
    private String command(long chosen) {
      List<String> words = new ArrayList<>(List.of("partita", "lab", "run", name));
      words.addAll(options.words());
      words.addAll(List.of("--profile", profile, "--seed", Long.toString(chosen)));
      if (pgledger != null) {
        words.addAll(List.of("--pgledger", "DIR"));
      }
      if (tigerBeetle != null) {
        words.addAll(List.of("--tigerbeetle", "ADDRESS"));
      }
      return String.join(" ", words);
    }
  }

  private static Path path(String option, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new MisuseException(option, "cannot be a path: " + e.getReason());
    }
  }

  /** What programs and files get is as wide as a report; a terminal may say how wide it is. */
  private static int columns(Partita root) {
    if (!root.output().terminal().interactive()) {
      return TextReport.COLUMNS;
    }
    String told = root.world().environment().getOrDefault("COLUMNS", "");
    return told.matches("[1-9][0-9]{1,2}") ? Integer.parseInt(told) : TERMINAL_COLUMNS;
  }

  private static void print(Partita root, Run run, String where) {
    Output output = root.output();
    if (output.json()) {
      output.terminal().out().println(RunJson.write(run));
    } else {
      output.terminal().out().print(TextReport.of(run, where, columns(root)));
    }
    output.terminal().flush();
  }

  /** Figures that may not be used are no success. */
  static ExitCode exitCode(Verdict verdict) {
    return switch (verdict) {
      case VALID, FLAGGED -> ExitCode.OK;
      case FAILED, INVALID -> ExitCode.INCONCLUSIVE;
    };
  }

  @Command(
      name = "report",
      header = "Show a result again, or put its table into a document.",
      description = {
        "With --into, what is between the lines <!-- lab:begin NAME --> and <!-- lab:end --> of a"
            + " Markdown file is replaced by the result's table; NAME is the experiment's."
      },
      footer = {
        "",
        "Examples:",
        "  partita lab report lab-results/20260131T120000Z-hot/run.json",
        "  partita lab report run.json --html report.html",
      })
  static final class Report implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "The run.json of an earlier run.")
    private String file = "";

    @Option(names = "--html", paramLabel = "FILE", description = "Write the page for people there.")
    private @Nullable String html;

    @Option(
        names = "--into",
        paramLabel = "FILE",
        description = "Markdown file to bring up to date.")
    private @Nullable String into;

    @Override
    public Integer call() {
      Partita root = Partita.of(spec);
      root.output();
      Run run = read();
      if (html != null) {
        Path page = path("--html", html);
        write("--html", () -> HtmlReport.write(run, page));
      }
      if (into != null) {
        Path document = path("--into", into);
        write(
            "--into", () -> Files.writeString(document, replaced(Files.readString(document), run)));
      }
      print(root, run, file);
      return ExitCode.OK.number();
    }

    private static String replaced(String document, Run run) {
      return Arguments.named("--into", () -> DocumentTables.in(document, run));
    }

    private Run read() {
      return Arguments.named("FILE", () -> RunJson.read(path("FILE", file)));
    }

    /** Writes a file. */
    private interface Writing {
      void run() throws IOException;
    }

    private static void write(String option, Writing writing) {
      try {
        writing.run();
      } catch (IOException e) {
        throw new MisuseException(option, "cannot be read or written: " + e);
      }
    }
  }
}
