package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.Asset;
import dev.partita.StatementQuery;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An account's statement. */
@Command(
    name = "statement",
    header = "Show the statement of an account, line by line with the balance after each.",
    description = "Amounts in brackets reserve or give back; they do not change the balance.",
    footer = {
      "",
      "Examples:",
      "  partita statement wallet:1 --newest-first --limit 20",
      "  partita statement wallet:1 --all --output json"
    })
final class StatementCommand extends LedgerCommand {

  @Mixin private AccountCommands.IdArgument account = new AccountCommands.IdArgument();

  @Option(names = "--newest-first", description = "From the latest line backwards.")
  private boolean newestFirst;

  @Mixin private PageOptions page = new PageOptions();

  @Override
  Work prepare() {
    AccountId id = account.id();
    int limit = page.limit();
    return desk -> {
      Asset asset = desk.assets().stored(AccountCommands.existing(desk, id).asset());
      StatementQuery query = new StatementQuery(id, newestFirst, null, limit);
      desk.output()
          .pages(
              "lines",
              page.paging(),
              cursor -> desk.ledger().statement(query.from(cursor)),
              desk.views()::document,
              desk.views().statementTable(asset));
      return ExitCode.OK;
    };
  }
}
