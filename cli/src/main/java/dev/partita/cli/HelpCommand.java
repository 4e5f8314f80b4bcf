package dev.partita.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Help for a command at any depth: {@code partita help transfer post}. */
@Command(name = "help", header = "Show help for a command, such as: partita help transfer post.")
final class HelpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command.")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine found = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = found.getSubcommands().get(name);
      if (next == null) {
        throw new CommandLine.ParameterException(
            found,
            "there is no command '"
                + String.join(" ", names)
                + "'; known here: "
                + String.join(", ", found.getSubcommands().keySet()));
      }
      found = next;
    }
    found.usage(found.getOut());
    return ExitCode.OK.number();
  }
}
