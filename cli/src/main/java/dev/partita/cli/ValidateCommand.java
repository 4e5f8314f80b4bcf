package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Target;
import dev.partita.cli.input.Arguments;
import dev.partita.cli.output.Output;
import dev.partita.cli.validate.BerkaSuite;
import dev.partita.cli.validate.RunLine;
import dev.partita.cli.validate.SuiteView;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.suites.Suites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Breaks things on purpose, and shows what survived. */
@Command(
    name = "validate",
    header = "Break things on purpose while money moves, and show what survived.",
    description = {
      "Every suite ends by comparing what its clients were told with what is stored, record by"
          + " record, and with verify. It never works in a ledger that exists: with --url it makes"
          + " a schema of its own there (the login must be allowed to), otherwise an embedded"
          + " database in a new directory beside --data. Both are removed afterwards, unless"
          + " something was found wrong.",
      "",
      "What the ledger logs about the trouble it is put to is shown with --stacktrace only.",
      "",
      "  bank        a bank at work while its connections are killed",
      "  http        a bank at work through HTTP while the server is killed and started again",
      "  model       random operations, each answer compared with a second implementation",
      "  contend     everybody after the same accounts, callers' transactions among them",
      "  snapshot    an old snapshot open for a minute under load on one account",
      "  slow        a bank at work while the network, the disk or the standbys are slow or stand"
          + " still",
      "  crash       server and program killed at random moments, again and again",
      "  failover    a bank at work while standbys take over from killed and paused primaries",
      "  soak        all of the API at half of what the server can do, and whether anything grows",
      "  berka FILE  a bank's transactions, every running balance compared with the bank's",
      "  all         every suite that works here; berka if there is a FILE",
      "",
      "crash and failover need servers of their own and do not take --url.",
      "",
      "Example: partita validate bank --minutes 60 --url jdbc:postgresql://localhost/shop"
    })
final class ValidateCommand implements Callable<Integer> {

  private static final String ALL = "all";
  private static final String BERKA = "berka";

  /** Who would complain about what is done to them on purpose; held, or they would be forgotten. */
  private static final List<Logger> EXPECTED_TROUBLE =
      Stream.of("dev.partita.postgres", "dev.partita.embedded", "com.zaxxer.hikari")
          .map(Logger::getLogger)
          .toList();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "SUITE", description = "Which, see above.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "For berka: the bank's transactions, as import berka reads them.")
  private @Nullable String bankFile;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long each suite goes on. Default: as much as makes its result believable.")
  private @Nullable String minutes;

  @Option(names = "--short", description = "Seconds only: shows that it works here.")
  private boolean small;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeats the choices of a run. Default: a new one.")
  private @Nullable String seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write what was found to a Markdown file.")
  private @Nullable String reportFile;

  @Override
  public Integer call() {
    Partita root = Partita.of(spec);
    Output output = root.output();
    Target target = root.target();
    Place place = place(target);
    List<Suite> suites = suites(root, place);
    Effort effort = effort();
    long chosen = Arguments.seed(seed);
    Path file = file();
    if (!root.wantsStackTrace()) {
      EXPECTED_TROUBLE.forEach(logger -> logger.setLevel(Level.OFF));
    }
    List<SuiteReport> reports = new ArrayList<>();
    for (Suite suite : suites) {
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
      try (RunLine line = new RunLine(output.terminal(), suite.name(), output.json())) {
        reports.add(Run.of(suite, chosen, effort, place, line));
      }
      if (!output.json()) {
        new SuiteView(reports.getLast()).print(output.terminal());
      }
      if (file != null) {
        // After each: whatever ends a long run leaves what was found until then.
        write(file, reports);
      }
    }
    output.answer(() -> document(reports), terminal -> {});
    return exitCode(reports).number();
  }

  private List<Suite> suites(Partita root, Place place) {
    List<Suite> all = new ArrayList<>(Suites.all(Main.class));
    if (bankFile != null) {
      // First: what is wrong with the file shows at once.
      all.addFirst(new BerkaSuite(bankFile, root.world().input()));
    }
    if (name.equals(ALL)) {
      all.removeIf(suite -> place instanceof Place.Given && suite.needsOwnServer());
      return all;
    }
    if (name.equals(BERKA) && bankFile == null) {
      throw new MisuseException("FILE", "berka replays a file: partita validate berka FILE");
    }
    if (bankFile != null && !name.equals(BERKA)) {
      throw new MisuseException("FILE", "is for berka and all");
    }
    return all.stream()
        .filter(suite -> suite.name().equals(name))
        .findFirst()
        .map(List::of)
        .orElseThrow(
            () ->
                new MisuseException(
                    "SUITE",
                    "must be all, berka or one of "
                        + String.join(
                            ", ", Suites.all(Main.class).stream().map(Suite::name).toList())));
  }

  private static Place place(Target target) {
    String url = target.url();
    if (url != null) {
      return new Place.Given(url, target.user(), target.password());
    }
    Path beside = target.data().toAbsolutePath();
    return new Place.Embedded(beside.resolveSibling(beside.getFileName() + "-validate"));
  }

  private Effort effort() {
    if (minutes == null) {
      return small ? Effort.SMOKE : Effort.NORMAL;
    }
    if (small) {
      throw new MisuseException("--short", "says how long; leave out --minutes or it");
    }
    return Effort.lasting(Duration.ofMinutes(Arguments.small("--minutes", minutes, 1, 100_000)));
  }

  private @Nullable Path file() {
    if (reportFile == null) {
      return null;
    }
    try {
      Path file = Path.of(reportFile).toAbsolutePath();
      Path parent = file.getParent();
      if (reportFile.isBlank() || Files.isDirectory(file) || parent == null) {
        throw new MisuseException("--report", "must name a file");
      }
      if (!Files.isDirectory(parent)) {
        throw new MisuseException("--report", "there is no directory " + parent);
      }
      return file;
    } catch (InvalidPathException e) {
      throw new MisuseException("--report", "cannot be a file: " + e.getReason());
    }
  }

  private void write(Path file, List<SuiteReport> reports) {
    StringBuilder page = new StringBuilder("# What survived\n\n");
    page.append("Made by `").append(String.join(" ", command())).append("` on ");
    page.append(LocalDate.now(ZoneOffset.UTC)).append(", ");
    page.append(Runtime.getRuntime().availableProcessors()).append(" cores, ");
    page.append(System.getProperty("os.name")).append(", Java ");
    page.append(Runtime.version()).append(".\n\n");
    reports.forEach(each -> page.append(new SuiteView(each).markdown()));
    try {
      Files.writeString(file, page.toString().stripTrailing() + "\n");
    } catch (IOException e) {
      throw new MisuseException("--report", "cannot be written: " + e);
    }
  }

  /** The command as given, without what says where. */
  private List<String> command() {
    List<String> words = new ArrayList<>(List.of("partita", "validate", name));
    if (bankFile != null) {
      words.add("FILE");
    }
    if (minutes != null) {
      words.addAll(List.of("--minutes", minutes));
    }
    if (small) {
      words.add("--short");
    }
    return words;
  }

  private static ObjectNode document(List<SuiteReport> reports) {
    ObjectNode node = Output.object();
    node.put("held", !reports.isEmpty() && reports.stream().allMatch(SuiteReport::held));
    ArrayNode list = node.putArray("suites");
    reports.forEach(each -> list.add(new SuiteView(each).document()));
    return node;
  }

  /** A violation weighs more than a run that shows nothing. */
  static ExitCode exitCode(List<SuiteReport> reports) {
    if (reports.stream().anyMatch(each -> each.verdict() == Verdict.VIOLATED)) {
      return ExitCode.VIOLATIONS;
    }
    return !reports.isEmpty() && reports.stream().allMatch(SuiteReport::held)
        ? ExitCode.OK
        : ExitCode.INCONCLUSIVE;
  }
}
