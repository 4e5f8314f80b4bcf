package dev.partita.cli;

import dev.partita.cli.archive.ArchiveFile;
import dev.partita.cli.archive.ExportCounts;
import dev.partita.cli.archive.LedgerImport;
import dev.partita.cli.connect.Purpose;
import dev.partita.cli.ingest.InputFile;
import dev.partita.cli.ingest.RereadableFile;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.ProgressLine;
import java.io.BufferedReader;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads an export back. */
@Command(
    name = "ledger",
    header = "Read an export back into an empty ledger, times and versions included.",
    description = {
      "The whole file is checked before anything is written. Everything is decided again by the rules and must come out as it was. An import that was"
          + " interrupted is run again and goes on. Afterwards: partita verify"
    })
final class ImportLedgerCommand extends LedgerCommand {

  @Parameters(
      paramLabel = "FILE",
      description = "The file of an export, its directory, or - for standard input.")
  private String file = "";

  @Override
  Purpose purpose() {
    return Purpose.RESTORE;
  }

  @Override
  Work prepare() {
    String name = file.equals("-") ? file : ArchiveFile.resolve("FILE", file).toString();
    RereadableFile input = RereadableFile.open(name, root().world().input());
    return desk -> {
      ExportCounts counts;
      try (input;
          ProgressLine progress =
              new ProgressLine(desk.output().terminal(), "lines", desk.output().json())) {
        counts =
            new LedgerImport(desk.ledger(), desk.session().restorable(), input.name(), progress)
                .run(() -> new BufferedReader(input.open().reader()));
      } catch (IOException e) {
        throw InputFile.unreadable(input.name(), e);
      }
      desk.output()
          .answer(
              () ->
                  Output.object()
                      .put("assets", counts.assets())
                      .put("accounts", counts.accounts())
                      .put("changes", counts.changes())
                      .put("transfers", counts.transfers()),
              terminal ->
                  terminal
                      .out()
                      .printf(
                          "The ledger has %,d assets, %,d accounts, %,d changes, %,d transfers.%n",
                          counts.assets(),
                          counts.accounts(),
                          counts.changes(),
                          counts.transfers()));
      return ExitCode.OK;
    };
  }
}
