package dev.partita.cli;

import dev.partita.MisuseException;
import dev.partita.cli.archive.ArchiveFile;
import dev.partita.cli.archive.LedgerExport;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.ProgressLine;
import dev.partita.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Writes a whole ledger to a file. */
@Command(
    name = "export",
    header = "Export the whole ledger to a file that 'partita import ledger' reads back.",
    description = {
      "JSON lines, compressed if the name ends in .gz; in a directory the file is ledger.jsonl."
          + " Nothing is overwritten. Writers may go on: what they record meanwhile is not included,"
          + " and counted."
    },
    footer = {"", "Example: partita export backup/2026-01-31.jsonl.gz"})
final class ExportCommand extends LedgerCommand {

  @Parameters(paramLabel = "FILE", description = "A new file, or a directory.")
  private String file = "";

  @Override
  Work prepare() {
    Path target = ArchiveFile.resolve("FILE", file);
    if (Files.exists(target)) {
      throw new MisuseException("FILE", target + " is there already; name another file");
    }
    return desk -> {
      LedgerExport.Result result;
      try (ArchiveFile archive = ArchiveFile.create(target);
          ProgressLine progress =
              new ProgressLine(desk.output().terminal(), "transfers", desk.output().json())) {
        result = new LedgerExport(desk.ledger(), archive.writer(), progress).run();
        archive.complete();
      } catch (IOException e) {
        throw new MisuseException("FILE", "cannot write " + target + ": " + e.getMessage());
      }
      desk.output().answer(() -> document(target, result), t -> print(target, result, t));
      return ExitCode.OK;
    };
  }

  private static ObjectNode document(Path target, LedgerExport.Result result) {
    return Output.object()
        .put("file", target.toString())
        .put("assets", result.counts().assets())
        .put("accounts", result.counts().accounts())
        .put("changes", result.counts().changes())
        .put("transfers", result.counts().transfers())
        .put("notIncluded", result.notIncluded());
  }

  private static void print(Path target, LedgerExport.Result result, Terminal terminal) {
    terminal
        .out()
        .printf(
            "Wrote %s: %,d assets, %,d accounts, %,d changes, %,d transfers.%n",
            target,
            result.counts().assets(),
            result.counts().accounts(),
            result.counts().changes(),
            result.counts().transfers());
    if (result.notIncluded() > 0) {
      terminal
          .out()
          .println(
              terminal.styled(
                  Terminal.Style.WARN,
                  result.notIncluded()
                      + " transfers were recorded meanwhile and are not in the file."));
    }
  }
}
