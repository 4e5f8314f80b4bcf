package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.cli.output.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class HelpTest {

  private final Commands commands = new Commands();

  @Test
  void listsCommandsExamplesAndExitCodes() {
    Ran help = commands.ok("--help");
    assertThat(help.out())
        .contains("transfer", "trial-balance", "Examples:", "PARTITA_URL", "NO_COLOR")
        .contains("Exit codes:");
    for (ExitCode code : ExitCode.values()) {
      assertThat(help.out()).contains(code.meaning().split("[:;]", -1)[0]);
    }
  }

  @Test
  void explainsCommandsAtAnyDepth() {
    assertThat(commands.ok("help transfer pending").out()).contains("--timeout", "Example:");
    assertThat(commands.ok("transfer pending --help").out())
        .isEqualTo(commands.ok("help transfer pending").out());
    assertThat(commands.ok("help").out()).isEqualTo(commands.ok("--help").out());
  }

  @Test
  void everyCommandHasAHeaderAndEveryOptionADescription() {
    Terminal terminal =
        new Terminal(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false);
    CommandLine root =
        Partita.commandLine(
            new World(
                terminal,
                commands.environment,
                InputStream.nullInputStream(),
                commands.source(),
                () -> false,
                opened -> {}));
    List<String> missing = new ArrayList<>();
    collect(root, missing);
    assertThat(missing).isEmpty();
  }

  private static void collect(CommandLine line, List<String> missing) {
    var spec = line.getCommandSpec();
    if (spec.usageMessage().header().length == 0) {
      missing.add(spec.qualifiedName() + " header");
    }
    spec.args().stream()
        .filter(arg -> arg.description().length == 0)
        .forEach(arg -> missing.add(spec.qualifiedName() + " " + arg.paramLabel()));
    line.getSubcommands().values().forEach(each -> collect(each, missing));
  }

  @ParameterizedTest
  @CsvSource({
    "trasfer,                 Did you mean: transfer?",
    "transfer pots,           Did you mean: post?",
    "help transfer pots,      known here: post",
    "transfer,                name one of: post",
    "balance,                 Missing required parameter: 'ID'",
    "balance a --recoded x,   Did you mean: --recorded?",
    "balance a b,             not understood: \"b\"",
    "transfer post,           --debit",
    "balance a --recorded,    --recorded",
  })
  void refusesWhatItDoesNotUnderstandAndSaysWhatIsMeant(String words, String hint) {
    Ran ran = commands.run(words).exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains(hint).contains("See: partita");
    assertThat(ran.out()).isEmpty();
    assertThat(commands.opened).isZero();
  }

  @Test
  void refusesNoCommandAtAll() {
    assertThat(commands.run(new String[0]).exits(ExitCode.MISUSE).err()).contains("name a command");
  }

  @Test
  void neverReadsArgumentsFromFiles() {
    Ran ran = commands.run("balance", "@secret").exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains("@secret").contains("not an account id");
  }

  @Test
  void coloursOnlyOnATerminal() {
    commands.withWallets();
    assertThat(commands.run(true, "account", "show", "till").out()).contains("\u001b[");
    assertThat(commands.run(false, "account", "show", "till").out()).doesNotContain("\u001b[");
    assertThat(commands.run(true, "account", "show", "till", "--output", "json").out())
        .doesNotContain("\u001b[");
  }

  @Test
  void closesTheLedgerWhateverHappens() {
    commands.withWallets();
    commands.run("balance nobody").exits(ExitCode.MISUSE);
    assertThat(commands.closed).isEqualTo(commands.opened);
  }

  @Test
  void showsAStackTraceOnlyWhenAsked() {
    assertThat(commands.run("balance nobody").err()).doesNotContain("\tat ");
    assertThat(commands.run("balance nobody --stacktrace").err()).contains("\tat dev.partita");
    commands.environment.put("PARTITA_DEBUG", "1");
    assertThat(commands.run("balance nobody").err()).contains("\tat dev.partita");
  }
}
