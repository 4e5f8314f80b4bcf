package dev.partita.cli;

import dev.partita.TrialBalance;
import picocli.CommandLine.Command;

/** The trial balance. */
@Command(
    name = "trial-balance",
    header = "Show what all accounts were debited and credited; the two are equal per asset.",
    description = "Exit code 4 if they are not.")
final class TrialBalanceCommand extends LedgerCommand {

  @Override
  Work prepare() {
    return desk -> {
      TrialBalance balance = desk.ledger().trialBalance();
      TrialBalanceView view = new TrialBalanceView(balance, desk.assets());
      desk.output().answer(view::document, view::print);
      return balance.balanced() ? ExitCode.OK : ExitCode.VIOLATIONS;
    };
  }
}
