package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Target;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.lab.LabCatalogue;
import dev.partita.cli.lab.LabDirectory;
import dev.partita.cli.lab.LabProgress;
import dev.partita.cli.lab.RateOptions;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Text;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.report.ReadmeTable;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.report.TextReport;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import dev.partita.lab.run.ExperimentRun;
import dev.partita.lab.run.LabDatabase;
import dev.partita.lab.study.Experiments;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
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

  @Command(name = "list", header = "List experiments and contenders.")
  static final class ListAll implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Output output = Partita.of(spec).output();
      output.answer(LabCatalogue::document, LabCatalogue::print);
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
        "See partita lab list for what there is. Besides:",
        "  rate   how long transfers of one contender take at an offered rate (--target, --rate)",
        "  knee   the highest rate at which one contender keeps a promise (--target, --p99)",
        "",
        "Profiles: smoke, seconds, shows that all comes out right; quick, minutes, three blocks,"
            + " wide margins may be believed; full, hours, six blocks of a minute for each arm.",
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

    @Mixin private RateOptions rate = new RateOptions();

    @Override
    public Integer call() throws InterruptedException, IOException, SQLException {
      Partita root = Partita.of(spec);
      Output output = root.output();
      Profile chosen = Arguments.choice("--profile", profile, Profile.class);
      long seedNumber =
          seed == null
              ? RandomGenerator.getDefault().nextLong(1L << 40)
              : Arguments.whole("--seed", seed, 0, Long.MAX_VALUE);
      Experiment experiment = experiment();
      LabDirectory directory = LabDirectory.in(results, experiment.description().name());
      ExperimentRun.Plan plan =
          new ExperimentRun.Plan(
              chosen, seedNumber, command(), Partita.version(), rate.window(chosen));
      Run run;
      try (LabDatabase database = database(root.target());
          LabProgress progress = new LabProgress(output.terminal(), output.json())) {
        run = ExperimentRun.of(database, experiment, plan, progress);
      }
      directory.write(run);
      output.answer(
          () -> RunJson.document(run),
          terminal -> {
            terminal.out().print(TextReport.of(run));
            terminal.out().println("Report: " + directory.report());
          });
      return exitCode(run.verdict()).number();
    }

    private Experiment experiment() {
      if (name.equals("rate")) {
        return rate.experiment();
      }
      rate.refuseUnlessRate();
      return Experiments.named(name)
          .orElseThrow(
              () ->
                  new MisuseException(
                      "NAME", Text.quote(name) + " is no experiment; see partita lab list"));
    }

    private String command() {
      return String.join(" ", "partita lab run", name, "--profile", profile) + rate.words();
    }
  }

  private static LabDatabase database(Target target) throws IOException {
    return LabDirectory.database(target);
  }

  /** Figures that may not be used are no success. */
  private static ExitCode exitCode(Verdict verdict) {
    return switch (verdict) {
      case VALID, FLAGGED -> ExitCode.OK;
      case FAILED, INVALID -> ExitCode.INCONCLUSIVE;
    };
  }

  @Command(
      name = "report",
      header = "Show a result again, or put its table into a document.",
      description = {
        "Reads a run.json. With --into, replaces the lines between <!-- lab:begin NAME --> and"
            + " <!-- lab:end --> of a Markdown file by the result's table; NAME is the experiment's."
      })
  static final class Report implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "A run.json of an earlier run.")
    private String file = "";

    @Option(names = "--html", paramLabel = "FILE", description = "Write the report there.")
    private @Nullable String html;

    @Option(names = "--into", paramLabel = "FILE", description = "Markdown file to bring up to date.")
    private @Nullable String into;

    @Override
    public Integer call() {
      Output output = Partita.of(spec).output();
      Run run = RunJson.read(Path.of(file));
      return ExitCode.OK.number();
    }
  }
}
