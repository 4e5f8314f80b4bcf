package dev.partita.cli;

import dev.partita.AccountId;
import dev.partita.MisuseException;
import dev.partita.TransferQuery;
import dev.partita.TransferRequest;
import dev.partita.cli.input.Arguments;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds transfers. */
@Command(
    name = "find",
    header = "Find transfers by reference, group, related record, account or time.",
    description = {
      "All that is given must hold. Without a reference, group, related record or account both ends"
          + " of a time range of at most 31 days are needed."
    },
    footer = {
      "",
      "Examples:",
      "  partita find --reference order-7",
      "  partita find --related key:order-7",
      "  partita find --from 2026-01-01T00:00:00Z --to 2026-01-31T23:59:59.999999Z --code 12"
    })
final class FindCommand extends LedgerCommand {

  @Option(names = "--reference", paramLabel = "TEXT", description = "With this reference.")
  private @Nullable String reference;

  @Option(names = "--group", paramLabel = "ID", description = "Members of this group.")
  private @Nullable String group;

  @Option(
      names = "--related",
      paramLabel = "ID",
      description = "What captured, voided, expired or reversed this record.")
  private @Nullable String related;

  @Option(names = "--account", paramLabel = "ID", description = "On either side.")
  private @Nullable String account;

  @Option(names = "--code", paramLabel = "N", description = "With this code.")
  private @Nullable String code;

  @Option(names = "--from", paramLabel = "TIME", description = "Recorded at or after.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Recorded at or before.")
  private @Nullable String to;

  @Mixin private PageOptions page = new PageOptions();

  @Override
  Work prepare() {
    UUID groupId = Arguments.idOrNull("--group", group);
    UUID relatedId = Arguments.idOrNull("--related", related);
    AccountId accountId = account == null ? null : TransferOptions.account("--account", account);
    Integer codeGiven = Arguments.smallOrNull("--code", code, 0, TransferRequest.CODE_MAX);
    Instant fromGiven = Arguments.timeOrNull("--from", from);
    Instant toGiven = Arguments.timeOrNull("--to", to);
    int limit = page.limit();
    TransferQuery query;
    try {
      query =
          new TransferQuery(
              reference, groupId, relatedId, accountId, codeGiven, fromGiven, toGiven, null, limit);
    } catch (MisuseException e) {
      String field = e.field();
      throw field == null ? e : new MisuseException("--" + field, e.detail());
    }
    return desk -> {
      desk.output()
          .pages(
              "transfers",
              page.paging(),
              cursor -> desk.ledger().find(query.from(cursor)),
              desk.views()::document,
              desk.views().transferTable());
      return ExitCode.OK;
    };
  }
}
