package dev.partita.cli;

import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Ledger;
import dev.partita.Progress;
import dev.partita.TransferRequest;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.ingest.BerkaRows;
import dev.partita.cli.ingest.Importer;
import dev.partita.cli.ingest.InputFile;
import dev.partita.cli.ingest.RejectsFile;
import dev.partita.cli.ingest.Rows;
import dev.partita.cli.ingest.Tally;
import dev.partita.cli.ingest.TransferRows;
import dev.partita.cli.output.ProgressLine;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports from files. */
@Command(
    name = "import",
    header = "Import transfers or a whole ledger from files.",
    description = {
      "Every import can be repeated and continued: ids derive from the rows, so nothing is recorded"
          + " twice. Exit code 1 if a row was refused or malformed."
    },
    subcommands = {ImportCommands.Csv.class, ImportCommands.Berka.class, ImportLedgerCommand.class})
final class ImportCommands extends CommandGroup {

  /** What importing rows has in common. */
  abstract static class RowImport extends LedgerCommand {
    @Parameters(paramLabel = "FILE", description = "UTF-8, plain or gzip; - for standard input.")
    private String file = "";

    @Option(
        names = "--rejects",
        paramLabel = "FILE",
        description = "Write all rows that were not taken to this new file: line,status,detail.")
    private @Nullable String rejects;

    abstract Rows rows(InputFile input, Desk desk);

    abstract Importer importer(Ledger ledger, Tally tally, Progress progress);

    /** Under which name a recorded row is summed. */
    abstract String bucket(TransferRequest request);

    abstract Asset assetOf(String bucket, Desk desk);

    /** Adds to the report of an import that read all rows. */
    void complete(ImportReport report, Tally tally, Rows rows, Desk desk) {}

    @Override
    Purpose purpose() {
      return Purpose.WRITE;
    }

    @Override
    final Work prepare() {
      InputFile input = InputFile.open(file, root().world().input());
      return desk -> {
        try (input;
            RejectsFile rejected = RejectsFile.create("--rejects", rejects)) {
          Tally tally =
              new Tally(
                  this::bucket,
                  rejection -> {
                    if (rejected != null) {
                      rejected.write(rejection);
                    }
                  });
          return run(rows(input, desk), tally, desk);
        }
      };
    }

    private ExitCode run(Rows rows, Tally tally, Desk desk) throws InterruptedException {
      long begunNanos = System.nanoTime();
      boolean complete = false;
      try (ProgressLine progress =
          new ProgressLine(desk.output().terminal(), "rows", desk.output().json())) {
        importer(desk.ledger(), tally, progress).run(rows);
        complete = true;
      } finally {
        long elapsedNanos = System.nanoTime() - begunNanos;
        ImportReport report =
            new ImportReport(tally, elapsedNanos, bucket -> assetOf(bucket, desk));
        if (complete) {
          complete(report, tally, rows, desk);
        }
        report.answer(desk.output());
      }
      return tally.refused() + tally.malformed() == 0 ? ExitCode.OK : ExitCode.REFUSED;
    }
  }

  @Command(
      name = "csv",
      header = "Import transfers from comma-separated values.",
      description = {
        "",
        "Columns, in any order, named by the first row:",
        "  id or key      the transfer's UUID, or a text that it derives from; one of them",
        "  debit, credit  account ids; both accounts exist already",
        "  asset, amount  the asset's code, and a decimal in major units: 12.50",
        "  effective_at   optional; the instant it counts for: 2026-01-31T23:59:59Z",
        "  code           optional; 0 to 65535",
        "  reference      optional; text to find it by",
        "  metadata.NAME  optional; any number of notes",
        "",
        "Rows of accounts with limits are posted in file order; others may overtake each other."
      })
  static final class Csv extends RowImport {
    @Override
    Rows rows(InputFile input, Desk desk) {
      return new TransferRows(input, desk.assets());
    }

    @Override
    Importer importer(Ledger ledger, Tally tally, Progress progress) {
      return Importer.ofTransfers(ledger, tally, progress);
    }

    @Override
    String bucket(TransferRequest request) {
      return Objects.requireNonNull(request.asset()).value();
    }

    @Override
    Asset assetOf(String bucket, Desk desk) {
      return desk.assets().stored(new AssetCode(bucket));
    }
  }

  @Command(
      name = "berka",
      header = "Import the transactions of a Czech bank (PKDD'99 challenge, trans.asc).",
      description = {
        "",
        "The whole table or a part of it, with its header row. Customers' accounts become"
            + " berka:account:N (credit-normal, no limits), the other side of every row is"
            + " berka:external (debit-normal). Rows count for their date, carry the operation as"
            + " code, trans_id as reference, and the rest as metadata."
      })
  static final class Berka extends RowImport {
    @Override
    Purpose purpose() {
      return Purpose.CREATE;
    }

    @Override
    Rows rows(InputFile input, Desk desk) {
      BerkaRows rows = new BerkaRows(input, desk.ledger());
      rows.register();
      return rows;
    }

    @Override
    Importer importer(Ledger ledger, Tally tally, Progress progress) {
      return Importer.ofBerka(ledger, tally, progress);
    }

    @Override
    String bucket(TransferRequest request) {
      return BerkaRows.EXTERNAL.equals(request.debit()) ? "credits" : "debits";
    }

    @Override
    Asset assetOf(String bucket, Desk desk) {
      return BerkaRows.CZK;
    }

    @Override
    void complete(ImportReport report, Tally tally, Rows rows, Desk desk) {
      BigInteger credits = tally.sums().getOrDefault("credits", BigInteger.ZERO);
      BigInteger debits = tally.sums().getOrDefault("debits", BigInteger.ZERO);
      report.extra("difference", credits.subtract(debits), BerkaRows.CZK);
      desk.ledger()
          .account(BerkaRows.EXTERNAL)
          .ifPresent(
              external ->
                  report.extra(
                      "balanceOfExternal",
                      external.balance().balance().toBigInteger(),
                      BerkaRows.CZK));
    }
  }
}
