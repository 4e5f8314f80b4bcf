package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.output.Terminal;
import dev.partita.cli.validate.SuiteView;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Check;
import dev.partita.validate.SuiteReport.Fact;
import dev.partita.validate.SuiteReport.Value;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.suites.Suites;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ValidateTest {

  private final Commands commands = new Commands();

  @Test
  void runsASuiteOnADatabaseOfItsOwnAndLeavesOnlyTheReport() throws IOException {
    try (ScratchDirectory scratch = ScratchDirectory.make()) {
      Path directory = scratch.path();
      Path report = directory.resolve("report.md");
      JsonNode answer =
          commands.json(
              "validate bank --short --seed 7 --data "
                  + directory.resolve("data")
                  + " --report "
                  + report);
      assertThat(answer.get("held").booleanValue()).isTrue();
      JsonNode suite = answer.get("suites").get(0);
      assertThat(suite.get("suite").stringValue()).isEqualTo("bank");
      assertThat(suite.get("seed").longValue()).isEqualTo(7);
      assertThat(suite.get("facts").get("transfers acknowledged").longValue()).isPositive();
      assertThat(suite.get("checks")).isNotEmpty();
      assertThat(Files.readString(report))
          .contains("Made by `partita validate bank --short`", "## bank", "**Everything held.**");
      assertThat(commands.opened).as("ledgers opened beside the suite's own").isZero();
      Files.delete(report);
      try (Stream<Path> left = Files.walk(directory)) {
        assertThat(left.filter(Files::isRegularFile)).isEmpty();
      }
    }
  }

  /** The server that users start, killed in the middle of its work. */
  @Test
  void runsThroughHttpWhileTheServerIsKilled() throws IOException {
    try (ScratchDirectory scratch = ScratchDirectory.make()) {
      JsonNode answer =
          commands.json("validate http --short --data " + scratch.path().resolve("data"));
      assertThat(answer.get("held").booleanValue()).as(answer.toString()).isTrue();
      JsonNode facts = answer.get("suites").get(0).get("facts");
      assertThat(facts.get("kills of the server at work").longValue()).isGreaterThan(2);
      assertThat(facts.get("transfers acknowledged").longValue()).isPositive();
    }
  }

  @Test
  void soaksTheServerThatUsersStart() throws IOException {
    try (ScratchDirectory scratch = ScratchDirectory.make()) {
      JsonNode answer =
          commands.json("validate soak --short --data " + scratch.path().resolve("data"));
      JsonNode facts = answer.get("suites").get(0).get("facts");
      assertThat(facts.get("requests answered").longValue()).isPositive();
      assertThat(facts.get("transfers refused").longValue()).isPositive();
      assertThat(facts.get("requests offered a second").longValue()).isPositive();
      assertThat(facts.has("median time, last third")).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "validate,                           Missing required parameter: 'SUITE'",
    "validate bunk,                      must be all, berka or one of bank",
    "validate berka,                     partita validate berka FILE",
    "validate bank file.csv,             is for berka and all",
    "validate berka /no/such.csv --short, /no/such.csv",
    "validate crash --url jdbc:postgresql://localhost/x --user y, runs on embedded ones alone",
    "validate bank --minutes 0,          --minutes",
    "validate bank --minutes 1 --short,  leave out --minutes or it",
    "validate bank --seed x,             --seed",
    "validate bank --report /no/x.md,    there is no directory",
    "validate bank --url jdbc:mysql:x,   must begin with jdbc:postgresql:",
  })
  void refusesWhatItCannotRun(String words, String hint) {
    assertThat(commands.run(words).exits(ExitCode.MISUSE).err()).contains(hint);
  }

  @Test
  void theHelpNamesEverySuite() {
    String help = commands.ok("help validate").out().replaceAll("\\s+", " ");
    for (Suite suite : Suites.all(Main.class)) {
      assertThat(help).contains(" " + suite.name() + " " + suite.summary());
    }
  }

  @Test
  void aViolationWeighsMoreThanARunThatShowsNothing() {
    assertThat(ValidateCommand.exitCode(List.of(report(Verdict.HELD)))).isEqualTo(ExitCode.OK);
    assertThat(ValidateCommand.exitCode(List.of(report(Verdict.HELD), report(Verdict.INVALID))))
        .isEqualTo(ExitCode.INCONCLUSIVE);
    assertThat(ValidateCommand.exitCode(List.of(report(Verdict.VIOLATED), report(Verdict.INVALID))))
        .isEqualTo(ExitCode.VIOLATIONS);
    assertThat(ValidateCommand.exitCode(List.of())).isEqualTo(ExitCode.INCONCLUSIVE);
  }

  @Test
  void saysWhatWasViolated() {
    StringWriter out = new StringWriter();
    SuiteView view = new SuiteView(report(Verdict.VIOLATED));
    view.print(new Terminal(new PrintWriter(out), new PrintWriter(out), false, false));
    assertThat(out.toString())
        .contains("bank: Violated.", "kills", "1,234 sessions", "nothing is lost", "5,000")
        .contains("violated  nothing is lost: one is missing");
    assertThat(view.markdown())
        .contains("| kills | 1,234 sessions |", "| nothing is lost | 5,000 | 1 |")
        .contains("- violated: nothing is lost: one is missing");
    assertThat(view.document().get("facts").get("kills").longValue()).isEqualTo(1234);
  }

  private static SuiteReport report(Verdict verdict) {
    return new SuiteReport(
        "bank",
        7,
        Instant.parse("2026-01-01T00:00:00Z"),
        Duration.ofSeconds(90),
        verdict,
        "",
        List.of(new Fact("kills", new Value.Count(1234, "sessions"))),
        List.of(new Check("nothing is lost", 5000, 1)),
        List.of("nothing is lost: one is missing"));
  }
}
