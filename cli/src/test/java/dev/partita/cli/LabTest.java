package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.cli.lab.LabDirectory;
import dev.partita.cli.lab.LabProgress;
import dev.partita.cli.output.Terminal;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.lab.result.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class LabTest {

  /** Nobody listens there. */
  private static final String NOWHERE = "--url jdbc:postgresql://127.0.0.1:1/x --user me";

  private static ScratchDirectory scratch;
  private static EmbeddedPostgres server;

  private final Commands commands = new Commands();

  @BeforeAll
  static void start() throws IOException {
    scratch = ScratchDirectory.make();
    server =
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.builder(scratch.path().resolve("server")).build());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    scratch.close();
  }

  @Test
  void listsWhatCanBeRunAndWhoCanBeAsked() {
    assertThat(commands.ok("lab list").out())
        .contains("E000-5      Without a balance nothing is hot", "rate ", "knee ")
        .contains("entries-only ", "(no balance, no limits");
    JsonNode list = commands.json("lab list");
    assertThat(list.get("experiments"))
        .anySatisfy(
            each -> {
              assertThat(each.get("name").stringValue()).isEqualTo("E000-5");
              assertThat(each.get("claim").stringValue()).isNotEmpty();
            });
    assertThat(list.get("contenders"))
        .anySatisfy(
            each -> {
              assertThat(each.get("name").stringValue()).isEqualTo("naive");
              assertThat(each.get("statements")).isNotEmpty();
            });
    assertThat(list.get("ofOneContender")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "lab,                                                     name one of: list",
    "lab run,                                                 Missing required parameter: 'NAME'",
    "lab run E999-1,                                          NAME: \"E999-1\" is no experiment",
    "lab run hot --profile fast,                              --profile: \"fast\" is none of smoke",
    "lab run hot --seed x,                                    --seed",
    "lab run hot --output xml,                                --output",
    "lab run hot --target naive,                              --target: is for rate and knee only",
    "lab run hot --pgledger /no/such,                         --pgledger: cannot read",
    "lab run hot --tigerbeetle 127.0.0.1:3000,                --tigerbeetle: its client is missing",
    "lab run hot --results /no\0such,                         --results: cannot be a directory",
    "lab run hot --results /dev/null/x,                       --results: no directory can be made in",
    "lab run hot --data /dev/null/x --results {},             --data: an embedded database cannot",
    "lab run hot --data x --url jdbc:postgresql:x,            leave out --url or it",
    "lab run hot --url jdbc:mysql:x,                          must begin with jdbc:postgresql:",
    "lab run hot --url jdbc:postgresql:x --results {},        --user: name who logs in",
    "lab run hot --url jdbc:postgresql://h:p/x --user me --results {}, --url: is not a JDBC URL",
    "lab run rate,                                            --rate: is needed",
    "lab run rate --rate 5,                                   --target: is needed with rate",
    "lab run rate --rate 0 --target naive,                    --rate: \"0\" is not a whole number",
    "lab run rate --rate 5 --target nobody,                   --target: \"nobody\" is no contender",
    "lab run rate --rate 5 --target naive --p99 9,            --p99: is not for rate",
    "lab run rate --rate 5 --target naive --batch 0,          --batch",
    "lab run rate --rate 5 --target naive --accounts 1,       --accounts",
    "lab run rate --rate 5 --target naive --in-flight 0,      --in-flight",
    "lab run rate --rate 5 --target naive --connections 65,   naive can use no more than 64",
    "lab run rate --rate 5 --target naive --refusals 101,     --refusals",
    "lab run rate --rate 5 --target naive --refusals 1,       naive refuses nothing",
    "lab run rate --rate 5 --target naive --replays 1,        naive knows no ids",
    "lab run rate --rate 5 --target naive --workload hot:5,   --workload: \"hot:5\" is none of hot",
    "lab run rate --rate 5 --target naive --workload pool,    --workload: \"pool\" is none of hot",
    "lab run rate --rate 5 --target naive --workload pool:1,  --workload: \"1\" is not a whole number",
    "lab run rate --rate 5 --target naive --workload zipf:x,  --workload: \"x\" is no exponent",
    "lab run knee,                                            --target: is needed with knee",
    "lab run knee --target naive --rate 5,                    --rate: is not for knee",
    "lab run knee --target naive --p99 0.5,                   --p99",
    "lab run knee --target naive --p99 5 --errors-only,       leave out --p99 or it",
    "lab report,                                              Missing required parameter: 'FILE'",
    "lab report /no/run.json,                                 FILE: /no/run.json cannot be read",
    "lab report /dev/null,                                    FILE: /dev/null",
  })
  void refusesWhatItCannotRun(String words, String hint) throws IOException {
    Path results = scratch.path().resolve("refused");
    String[] arguments =
        words.replace("\\0", "\0").replace("{}", results.toString()).split(" ", -1);
    assertThat(commands.run(arguments).exits(ExitCode.MISUSE).err()).contains(hint);
    assertThat(results).as("left behind").doesNotExist();
  }

  @Test
  void aBlankDirectoryIsNoPlaceForResults() {
    Ran ran = commands.run("lab", "run", "hot", "--results", " ");
    assertThat(ran.exits(ExitCode.MISUSE).err()).contains("--results: is blank");
  }

  @Test
  void loadsADatabaseOnlyIfTheCommandNamesIt() {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://127.0.0.1:1/ledger");
    commands.environment.put("PARTITA_USER", "me");
    Ran ran = commands.run("lab run hot").exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains("PARTITA_URL", "load it as hard as it can", "--url");
  }

  @Test
  void tellsADatabaseThatIsNotThereFromAFaultOfItsOwn() {
    Path results = scratch.path().resolve("unreachable");
    Ran ran = commands.run("lab run hot " + NOWHERE + " --results " + results + " --output json");
    ran.exits(ExitCode.UNAVAILABLE);
    assertThat(ran.error().get("code").stringValue()).isEqualTo("database_unavailable");
    assertThat(results).doesNotExist();
  }

  @Test
  void saysWhatALoginLacks() {
    Login login = server.application();
    String run = "lab run hot --url " + login.jdbcUrl() + " --user " + login.user();
    commands.environment.put("PARTITA_PASSWORD", "wrong");
    assertThat(commands.run(run + " --results " + scratch.path()).exits(ExitCode.MISUSE).err())
        .contains("--user: the database refuses this login");
    commands.environment.put("PARTITA_PASSWORD", login.password());
    assertThat(commands.run(run + " --results " + scratch.path()).exits(ExitCode.MISUSE).err())
        .contains("--user: " + login.user() + " may not make schemas", "GRANT CREATE ON DATABASE");
  }

  @Test
  void leavesAReportAndNothingElse() throws Exception {
    Path results = scratch.path().resolve("results");
    Login login = server.owner();
    commands.environment.put("PARTITA_PASSWORD", login.password());
    Ran ran =
        commands.run(
            "lab run e000-5 --profile smoke --seed 7 --url %s --user %s --results %s"
                .formatted(login.jdbcUrl(), login.user(), results));
    assertThat(ran.exits(ExitCode.OK).out()).startsWith("VALID  E000-5").contains("Report: ");
    assertThat(ran.err().lines().toList()).as("a line for each cell").hasSize(2);
    assertThat(labSchemas()).as("left behind").isEmpty();
    Path directory = onlyOneIn(results);
    assertThat(directory.getFileName().toString()).matches("[0-9]{8}T[0-9]{6}Z-e000-5");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("report.html", "run.json", "run.txt");
    }
    assertThat(directory.resolve("run.txt")).hasContent(ran.out());
    showsItAgain(directory.resolve("run.json"));
  }

  private void showsItAgain(Path run) throws IOException {
    assertThat(commands.ok("lab report " + run).out())
        .startsWith("VALID  E000-5")
        .contains("Report: " + run);
    JsonNode document = commands.json("lab report " + run);
    assertThat(document.get("about").get("command").stringValue())
        .isEqualTo("partita lab run e000-5 --profile smoke --seed 7");
    Path page = run.resolveSibling("again.html");
    Path text = run.resolveSibling("README.md");
    Files.writeString(text, "above\n");
    assertThat(commands.run("lab report " + run + " --into " + text).exits(ExitCode.MISUSE).err())
        .contains("--into: no place for E000-5", "<!-- lab:begin E000-5 -->");
    Files.writeString(text, "above\n<!-- lab:begin E000-5 -->\nold\n<!-- lab:end -->\nbelow\n");
    commands.ok("lab report " + run + " --html " + page + " --into " + text);
    assertThat(page).hasSameTextualContentAs(run.resolveSibling("report.html"));
    assertThat(Files.readString(text))
        .startsWith("above\n<!-- lab:begin E000-5 -->\n")
        .endsWith("<!-- lab:end -->\nbelow\n")
        .contains("| entries only |")
        .doesNotContain("old");
  }

  @Test
  void anInterruptedRunLeavesNothing() throws IOException {
    try (ScratchDirectory place = ScratchDirectory.make(scratch.path().resolve("interrupted"))) {
      StringWriter err = new StringWriter();
      int code =
          Partita.commandLine(
                  new World(
                      new Terminal(
                          new PrintWriter(new StringWriter()),
                          interruptsAt("1 of 2", err),
                          true,
                          false),
                      commands.environment,
                      InputStream.nullInputStream(),
                      commands.source(),
                      () -> false,
                      opened -> {}))
              .execute(
                  "lab",
                  "run",
                  "E000-5",
                  "--profile",
                  "smoke",
                  "--data",
                  place.path().resolve("data").toString(),
                  "--results",
                  place.path().resolve("a/b").toString());
      assertThat(code).as(err.toString()).isEqualTo(ExitCode.INTERRUPTED.number());
      assertThat(err.toString())
          .contains("1 of 2")
          .endsWith("interrupted; no result was written, and nothing is left behind\n");
      assertThat(Thread.interrupted()).as("still interrupted").isFalse();
      assertThat(place.path()).isEmptyDirectory();
    }
  }

  /** Stands in for Ctrl-C at a moment that is always the same. */
  private static PrintWriter interruptsAt(String text, StringWriter err) {
    return new PrintWriter(err) {
      @Override
      public void write(String written, int offset, int length) {
        super.write(written, offset, length);
        if (written.contains(text)) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void figuresThatMayNotBeUsedAreNoSuccess(Verdict verdict) {
    assertThat(LabCommands.exitCode(verdict))
        .isEqualTo(
            switch (verdict) {
              case VALID, FLAGGED -> ExitCode.OK;
              case FAILED, INVALID -> ExitCode.INCONCLUSIVE;
            });
  }

  @Test
  void runsOfTheSameSecondDoNotShareADirectory() {
    String parent = scratch.path().resolve("shared/deep").toString();
    List<LabDirectory> made =
        Stream.generate(() -> LabDirectory.in(parent, "hot")).limit(3).toList();
    assertThat(made).extracting(LabDirectory::report).doesNotHaveDuplicates();
    made.reversed().forEach(LabDirectory::discardIfEmpty);
    assertThat(scratch.path().resolve("shared")).doesNotExist();
  }

  @Test
  void theLineThatIsRedrawnFitsIntoTheTerminal() {
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(err), new PrintWriter(err), true, false);
    try (LabProgress progress = new LabProgress(terminal, 40, false)) {
      progress.began("x".repeat(100), 3, 12);
    }
    assertThat(err.toString().lines().findFirst().orElse("").replaceAll("\r.*", ""))
        .startsWith("4 of 12: x")
        .endsWith("…")
        .hasSizeLessThan(40);
    assertThat(err.toString()).endsWith("\r\u001b[2K");
  }

  private static Path onlyOneIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private static List<String> labSchemas() throws SQLException {
    try (Connection connection = server.owner().connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT coalesce(string_agg(nspname, ' '), '') FROM pg_namespace"
                    + " WHERE starts_with(nspname, 'partita_lab')")) {
      rows.next();
      return rows.getString(1).lines().toList();
    }
  }
}
