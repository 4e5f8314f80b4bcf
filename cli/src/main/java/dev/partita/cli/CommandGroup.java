package dev.partita.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others. */
abstract class CommandGroup implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(),
        "name one of: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
