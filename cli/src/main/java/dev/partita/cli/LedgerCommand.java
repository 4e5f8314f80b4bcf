package dev.partita.cli;

import dev.partita.Ledger;
import dev.partita.cli.connect.LedgerSession;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.input.Assets;
import dev.partita.cli.output.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on a ledger. What its arguments alone can decide is decided before. */
abstract class LedgerCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** What is left to do once the ledger is open. */
  @FunctionalInterface
  interface Work {
    /** Does it. */
    ExitCode on(Desk desk) throws InterruptedException;
  }

  /**
   * What the work is done with.
   *
   * @param session the opened ledger
   * @param assets its assets
   * @param views how its values are shown
   * @param output where to answer
   */
  record Desk(LedgerSession session, Assets assets, Views views, Output output) {

    Ledger ledger() {
      return session.ledger();
    }
  }

  /**
   * Checks the arguments.
   *
   * @throws dev.partita.MisuseException naming the option at fault
   */
  abstract Work prepare();

  /** What the ledger is opened for. */
  Purpose purpose() {
    return Purpose.READ;
  }

  @Override
  public Integer call() throws InterruptedException {
    Work work = prepare();
    Partita root = root();
    try (LedgerSession session = root.open(purpose())) {
      Assets assets = new Assets(session.ledger());
      return work.on(new Desk(session, assets, new Views(assets), root.output())).number();
    }
  }

  final Partita root() {
    return Partita.of(spec);
  }
}
