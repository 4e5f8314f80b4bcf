package dev.partita.cli.validate;

import dev.partita.cli.output.Fields;
import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Terminal;
import dev.partita.cli.output.Terminal.Style;
import dev.partita.cli.output.Text;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Check;
import dev.partita.validate.SuiteReport.Fact;
import dev.partita.validate.SuiteReport.Value;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows what a run of a suite found. */
public final class SuiteView {

  private final SuiteReport report;

  /** Shows one run. */
  public SuiteView(SuiteReport report) {
    this.report = report;
  }

  /** As a document. */
  public ObjectNode document() {
    ObjectNode node = Output.object().put("suite", report.suite());
    node.put("verdict", report.verdict().name());
    node.put("why", report.why().isEmpty() ? null : report.why());
    node.put("seed", report.seed());
    node.put("begunAt", report.begunAt().toString());
    node.put("elapsedMillis", report.elapsed().toMillis());
    ObjectNode facts = node.putObject("facts");
    for (Fact fact : report.facts()) {
      switch (fact.value()) {
        case Value.Count count -> facts.put(fact.name(), count.value());
        case Value.Text text -> facts.put(fact.name(), text.value());
      }
    }
    ArrayNode checks = node.putArray("checks");
    for (Check check : report.checks()) {
      checks
          .addObject()
          .put("what", check.what())
          .put("looked", check.looked())
          .put("failed", check.failed());
    }
    ArrayNode violations = node.putArray("violations");
    report.violations().forEach(violations::add);
    return node;
  }

  /** For people. */
  public void print(Terminal terminal) {
    terminal.out().println();
    terminal
        .out()
        .println(
            terminal.styled(Style.BOLD, report.suite())
                + ": "
                + terminal.styled(
                    switch (report.verdict()) {
                      case HELD -> Style.GOOD;
                      case VIOLATED -> Style.BAD;
                      case INVALID -> Style.WARN;
                    },
                    sentence()));
    Fields facts = new Fields().add("seed", report.seed()).add("time", elapsed());
    report.facts().forEach(fact -> facts.add(fact.name(), text(fact.value())));
    facts.print(terminal);
    if (!report.checks().isEmpty()) {
      new Table<Check>()
          .left("what had to hold", Check::what)
          .right("looked at", check -> number(check.looked()))
          .right("failed", check -> number(check.failed()))
          .print(terminal, report.checks());
    }
    for (String violation : report.violations()) {
      terminal.out().println(terminal.styled(Style.BAD, "  violated  ") + Text.visible(violation));
    }
    terminal.out().flush();
  }

  /** As a section of a page. */
  public String markdown() {
    StringBuilder page = new StringBuilder();
    page.append("## ").append(report.suite()).append("\n\n");
    page.append("**").append(sentence()).append("** Seed ").append(report.seed());
    page.append(", ").append(elapsed()).append(".\n\n");
    page.append("| what happened | |\n|---|---|\n");
    for (Fact fact : report.facts()) {
      row(page, fact.name(), text(fact.value()).replace("|", "\\|"));
    }
    page.append("\n| what had to hold | looked at | failed |\n|---|---|---|\n");
    for (Check check : report.checks()) {
      row(page, check.what(), number(check.looked()) + " | " + number(check.failed()));
    }
    page.append('\n');
    for (String violation : report.violations()) {
      page.append("- violated: ").append(Text.visible(violation)).append('\n');
    }
    return page.append(report.violations().isEmpty() ? "" : "\n").toString();
  }

  private static void row(StringBuilder page, String name, String value) {
    page.append("| ").append(name).append(" | ").append(value).append(" |\n");
  }

  private String sentence() {
    return switch (report.verdict()) {
      case HELD -> "Everything held.";
      case VIOLATED -> "Violated.";
      case INVALID -> "Nothing can be concluded: " + report.why() + ".";
    };
  }

  private String elapsed() {
    return String.format(Locale.ROOT, "%,d s", report.elapsed().toSeconds());
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String text(Value value) {
    return switch (value) {
      case Value.Count count ->
          number(count.value()) + (count.unit().isEmpty() ? "" : " " + count.unit());
      case Value.Text text -> text.value();
    };
  }
}
