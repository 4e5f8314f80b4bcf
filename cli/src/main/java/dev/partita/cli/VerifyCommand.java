package dev.partita.cli;

import dev.partita.VerifyReport;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.ProgressLine;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Text;
import java.util.Locale;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Proves the invariants on the stored data. */
@Command(
    name = "verify",
    header = "Prove on the stored data that everything adds up.",
    description = {
      "Runs while writers go on, up to the position it names. Exit code 4 if it finds a violation.",
      "",
      "  1  per asset debits equal credits, posted and pending",
      "  2  accounts are what their last record says, pending what open holds hold",
      "  3  versions have no gaps, counters follow from the record before",
      "  4  limits in force were respected",
      "  5  captures, voids, expiries and reversals add up",
      "  6  groups are whole",
      "  7  times never decrease, assets fit, account changes are whole"
    })
final class VerifyCommand extends LedgerCommand {

  @Override
  Work prepare() {
    return desk -> {
      VerifyReport report = run(desk);
      desk.output().answer(() -> document(report), terminal -> print(report, terminal));
      return report.clean() ? ExitCode.OK : ExitCode.VIOLATIONS;
    };
  }

  static VerifyReport run(Desk desk) {
    try (ProgressLine progress =
        new ProgressLine(desk.output().terminal(), "records", desk.output().json())) {
      return desk.ledger().verify(progress);
    }
  }

  static ObjectNode document(VerifyReport report) {
    ObjectNode node = Output.object().put("clean", report.clean());
    node.put("position", report.position());
    node.put("accounts", report.accounts());
    node.put("transfers", report.transfers());
    ArrayNode violations = node.putArray("violations");
    for (VerifyReport.Violation violation : report.violations()) {
      violations
          .addObject()
          .put("invariant", violation.invariant())
          .put("subject", violation.subject())
          .put("detail", violation.detail());
    }
    return node;
  }

  static void print(VerifyReport report, Terminal terminal) {
    String counts =
        String.format(
            Locale.ROOT,
            "%,d accounts and %,d transfers up to %s",
            report.accounts(),
            report.transfers(),
            report.position());
    if (report.clean()) {
      terminal
          .out()
          .println(
              terminal.styled(Terminal.Style.GOOD, "Everything adds up") + ": " + counts + ".");
      return;
    }
    String count =
        report.violations().size() == VerifyReport.VIOLATIONS_MAX
            ? "At least " + VerifyReport.VIOLATIONS_MAX
            : Integer.toString(report.violations().size());
    terminal
        .out()
        .println(
            terminal.styled(Terminal.Style.BAD, count + " violations") + " in " + counts + ":");
    for (VerifyReport.Violation violation : report.violations()) {
      terminal
          .out()
          .println(
              "  invariant "
                  + violation.invariant()
                  + ", "
                  + Text.visible(violation.subject())
                  + ": "
                  + Text.visible(violation.detail()));
    }
  }
}
