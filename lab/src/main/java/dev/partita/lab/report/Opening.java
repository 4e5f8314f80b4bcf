package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader sees first: what failed, and how each claim fared. */
final class Opening {

  private Opening() {}

  /** What a verdict means for whoever reads figures. */
  static String meaning(Verdict verdict) {
    return switch (verdict) {
      case VALID -> "Every gate held. The figures may be used, on this machine and for this load.";
      case FLAGGED -> "The figures may be used, with the marks that gates put on them.";
      case FAILED -> "The target did not do what was asked of it. How much it did do is true.";
      case INVALID -> "No figure on this page may be used. It shows what went wrong.";
    };
  }

  /** One gate that failed, and where. */
  private record Failure(GateResult gate, List<Cell> cells) {}

  /** Gates that failed, each once with the places; empty if all held. */
  static Markup failedGates(Run run) {
    Map<String, Failure> failures = new LinkedHashMap<>();
    for (Cell cell : run.cells()) {
      for (GateResult each : cell.failedGates()) {
        failures
            .computeIfAbsent(each.id(), id -> new Failure(each, new ArrayList<>()))
            .cells()
            .add(cell);
      }
    }
    Markup html = new Markup();
    if (failures.isEmpty()) {
      return html;
    }
    html.start("ul", "class", "failed");
    for (Failure each : failures.values()) {
      GateResult gate = each.gate();
      html.start("li").element("b", gate.id()).text(" " + gate.what() + ": ");
      html.element("span", gate.observed(), "class", "observed");
      html.text(", threshold " + gate.threshold() + ". Failed in " + where(each.cells(), run));
      html.text(". ").element("span", gate.effect().name(), "class", "badge " + gate.effect());
      html.end();
    }
    return html.end();
  }

  /** Some places in words. */
  static String where(List<Cell> cells, Run run) {
    if (cells.size() == run.cells().size() && cells.size() > 1) {
      return "all " + cells.size() + " measurements";
    }
    int shown = 4;
    List<String> names =
        cells.stream().limit(shown).map(each -> each.arm() + " block " + each.block()).toList();
    String more = cells.size() > shown ? " and " + (cells.size() - shown) + " more" : "";
    return String.join(", ", names) + more;
  }

  static Markup findings(List<Finding> findings) {
    Markup html = new Markup();
    if (findings.isEmpty()) {
      return html;
    }
    html.start("ol", "class", "findings");
    for (Finding each : findings) {
      html.start("li", "class", each.outcome().name());
      html.start("p", "class", "what");
      html.element("span", words(each.outcome()), "class", "badge " + each.outcome().name());
      html.text(" " + each.what()).end();
      html.start("dl");
      html.element("dt", "Expected").element("dd", each.expected());
      html.element("dt", "Seen").element("dd", each.observed());
      html.end().end();
    }
    return html.end();
  }

  static String words(Finding.Outcome outcome) {
    return switch (outcome) {
      case SHOWN -> "shown";
      case UNCLEAR -> "unclear";
      case REFUTED -> "refuted";
      case NOT_JUDGED -> "not judged";
    };
  }
}
