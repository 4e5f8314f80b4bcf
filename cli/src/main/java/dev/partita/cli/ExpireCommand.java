package dev.partita.cli;

import dev.partita.Transfer;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.output.Output;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** Records due expiries. */
@Command(
    name = "expire",
    header = "Record the expiry of holds whose deadline has passed.",
    description = {
      "A running service does this by itself, and so does every command that posts. For a database"
          + " that only this program works on, run it now and then."
    })
final class ExpireCommand extends LedgerCommand {

  private static final int LIMIT = 10_000;

  @Override
  Purpose purpose() {
    return Purpose.WRITE;
  }

  @Override
  Work prepare() {
    return desk -> {
      long expired = 0;
      List<Transfer> last;
      do {
        last = desk.ledger().expireDue(LIMIT);
        expired += last.size();
      } while (last.size() == LIMIT);
      long count = expired;
      desk.output()
          .answer(
              () -> Output.object().put("expired", count),
              terminal -> terminal.out().printf(Locale.ROOT, "Expired %,d holds.%n", count));
      return ExitCode.OK;
    };
  }
}
