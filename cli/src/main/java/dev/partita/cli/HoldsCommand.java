package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.AssetCode;
import dev.partita.HoldQuery;
import dev.partita.cli.input.Arguments;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Open holds. */
@Command(name = "holds", header = "List open holds in the order in which they were recorded.")
final class HoldsCommand extends LedgerCommand {

  @Option(names = "--account", paramLabel = "ID", description = "On either side.")
  private @Nullable String account;

  @Option(names = "--asset", paramLabel = "CODE", description = "Only of this asset.")
  private @Nullable String asset;

  @Option(
      names = "--due-by",
      paramLabel = "TIME",
      description = "Only with a deadline at or before this.")
  private @Nullable String dueBy;

  @Mixin private PageOptions page = new PageOptions();

  @Override
  Work prepare() {
    AccountId accountId = account == null ? null : TransferOptions.account("--account", account);
    String code = asset;
    AssetCode assetCode =
        code == null ? null : Arguments.named("--asset", () -> new AssetCode(code));
    Instant due = Arguments.timeOrNull("--due-by", dueBy);
    HoldQuery query = new HoldQuery(accountId, assetCode, due, null, page.limit());
    return desk -> {
      if (assetCode != null) {
        desk.assets().named("--asset", assetCode);
      }
      desk.output()
          .pages(
              "holds",
              page.paging(),
              cursor -> desk.ledger().holds(query.from(cursor)),
              desk.views()::document,
              desk.views().holdTable());
      return ExitCode.OK;
    };
  }
}
