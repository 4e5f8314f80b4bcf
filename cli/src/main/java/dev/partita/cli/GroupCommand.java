package dev.partita.cli;

import dev.partita.GroupRequest;
import dev.partita.MisuseException;
import dev.partita.TransferRequest;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.ingest.InputFile;
import dev.partita.cli.ingest.Rows;
import dev.partita.cli.ingest.TransferRows;
import dev.partita.cli.input.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Posts a file's transfers together. */
@Command(
    name = "group",
    header = "Post the transfers of a file together, or none of them.",
    description = {
      "The file has the columns of 'partita import csv' and 1 to 10000 rows; each row sees the ones"
          + " before it. --id or --key names the group."
    },
    footer = {"", "Example: partita transfer group sale.csv --key sale-7"})
final class GroupCommand extends LedgerCommand {

  @Parameters(paramLabel = "FILE", description = "UTF-8, plain or gzip; - for standard input.")
  private String file = "";

  @Mixin private TransferOptions.Identity identity = new TransferOptions.Identity();

  @Override
  Purpose purpose() {
    return Purpose.WRITE;
  }

  @Override
  Work prepare() {
    InputFile input = InputFile.open(file, root().world().input());
    UUID id = identity.id();
    return desk -> {
      List<TransferRequest> members = new ArrayList<>();
      try (input) {
        TransferRows rows = new TransferRows(input, desk.assets());
        for (Rows.Next next = rows.next(); next != null; next = rows.next()) {
          switch (next) {
            case Rows.Next.Ready ready -> members.add(ready.row().request());
            case Rows.Next.Malformed malformed ->
                throw new MisuseException(
                    "FILE", rows.name() + " line " + malformed.line() + ": " + malformed.problem());
          }
          if (members.size() > GroupRequest.MEMBERS_MAX) {
            throw new MisuseException("FILE", "a group has at most 10,000 transfers");
          }
        }
      }
      return Posting.post(Arguments.named("FILE", () -> new GroupRequest(id, members)), desk);
    };
  }
}
