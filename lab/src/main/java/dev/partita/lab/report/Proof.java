package dev.partita.lab.report;

import dev.partita.lab.report.HtmlTable.Value;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether the books are right and the figures sound: checks and gates over all measurements. */
final class Proof {

  private Proof() {}

  private record Seen<T>(Cell cell, T what) {}

  /** Sums that should be equal and are not; measurements that were not reconciled. */
  static Markup alarms(Run run) {
    Markup html = new Markup();
    List<Cell> unchecked = run.cells().stream().filter(each -> each.checks().isEmpty()).toList();
    List<Cell> broken =
        run.cells().stream().filter(each -> !each.counts().brokenIdentities().isEmpty()).toList();
    if (unchecked.isEmpty() && broken.isEmpty()) {
      return html;
    }
    html.start("ul", "class", "failed");
    if (!unchecked.isEmpty()) {
      html.element("li", "Not reconciled: " + Opening.where(unchecked, run));
    }
    for (Cell cell : broken) {
      for (String each : cell.counts().brokenIdentities()) {
        html.element("li", place(cell) + ": " + each);
      }
    }
    return html.end();
  }

  static Markup checks(Run run) {
    Map<String, List<Seen<CheckResult>>> byName = new LinkedHashMap<>();
    for (Cell cell : run.cells()) {
      for (CheckResult each : cell.checks()) {
        byName.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(new Seen<>(cell, each));
      }
    }
    HtmlTable table = new HtmlTable("Reconciliation: what clients were told and what is stored");
    table.words("Check").words("What has to hold").numbers("measurements", "");
    table.numbers("broken", "cases").words("Notes");
    byName.forEach(
        (name, all) -> {
          long broken = all.stream().mapToLong(each -> each.what().broken()).sum();
          table.row(
              broken == 0 ? "" : "bad",
              List.of(
                  Value.of(name),
                  Value.of(all.getFirst().what().what()),
                  Value.of(Numbers.count(all.size())),
                  Value.of(Numbers.count(broken)),
                  Value.of(checkNotes(all))));
        });
    return table.hasRows() ? table.markup() : new Markup();
  }

  private static Markup checkNotes(List<Seen<CheckResult>> all) {
    Markup html = new Markup();
    for (Seen<CheckResult> each : all) {
      if (each.what().broken() > 0) {
        String cases =
            Numbers.count(each.what().broken()) + ", such as " + each.what().examples();
        html.element("p", place(each.cell()) + ": " + cases, "class", "observed");
      }
    }
    Map<String, List<Cell>> notes = new LinkedHashMap<>();
    for (Seen<CheckResult> each : all) {
      if (!each.what().note().isEmpty()) {
        notes.computeIfAbsent(each.what().note(), note -> new ArrayList<>()).add(each.cell());
      }
    }
    observations(notes, all.size(), html);
    return html;
  }

  static Markup gates(Run run) {
    Map<List<String>, List<Seen<GateResult>>> byGate = new LinkedHashMap<>();
    for (Cell cell : run.cells()) {
      for (GateResult each : cell.gates()) {
        byGate
            .computeIfAbsent(List.of(each.id(), each.threshold()), id -> new ArrayList<>())
            .add(new Seen<>(cell, each));
      }
    }
    HtmlTable table = new HtmlTable("Gates: what figures had to pass before they counted");
    table.words("Gate").words("What has to hold").words("Threshold").numbers("held", "");
    table.words("Observed").words("Worth if it fails");
    byGate.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().getFirst()))
        .map(Map.Entry::getValue)
        .forEach(all -> gate(all, table));
    return table.hasRows() ? table.markup() : new Markup();
  }

  private static void gate(List<Seen<GateResult>> all, HtmlTable table) {
    GateResult gate = all.getFirst().what();
    long held = all.stream().filter(each -> each.what().held()).count();
    Markup observed = new Markup();
    Map<String, List<Cell>> words = new LinkedHashMap<>();
    for (Seen<GateResult> each : all) {
      if (each.what().held()) {
        words.computeIfAbsent(each.what().observed(), o -> new ArrayList<>()).add(each.cell());
      } else {
        observed.element(
            "p", place(each.cell()) + ": " + each.what().observed(), "class", "observed");
      }
    }
    observations(words, all.size(), observed);
    table.row(
        held == all.size() ? "" : "bad",
        List.of(
            Value.of(gate.id()),
            Value.of(gate.what()),
            Value.of(gate.threshold()),
            Value.of(held + " of " + all.size()),
            Value.of(observed),
            Value.of(new Markup().element("span", gate.effect().name(), "class", "effect"))));
  }

  /** What was said everywhere, or a list that opens where it differs from place to place. */
  private static void observations(Map<String, List<Cell>> words, int places, Markup html) {
    if (words.size() == 1 && words.values().iterator().next().size() == places) {
      html.text(words.keySet().iterator().next());
    } else if (!words.isEmpty()) {
      html.start("details");
      int said = words.values().stream().mapToInt(List::size).sum();
      html.element("summary", words.keySet().iterator().next() + " … (" + said + ")");
      html.start("ul");
      words.forEach(
          (text, cells) -> {
            for (Cell each : cells) {
              html.start("li").element("b", place(each)).text(": " + text).end();
            }
          });
      html.end().end();
    }
  }

  private static String place(Cell cell) {
    return cell.arm() + " block " + cell.block();
  }
}
