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

  private static final int FAILURES_IN_SIGHT = 4;

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
    List<String> broken = new ArrayList<>();
    for (Seen<CheckResult> each : all) {
      CheckResult check = each.what();
      if (check.broken() > 0) {
        String examples = String.join("; ", check.examples());
        broken.add(
            "%s: %s%s"
                .formatted(
                    place(each.cell()),
                    Numbers.count(check.broken()),
                    examples.isEmpty() ? "" : ", such as " + examples));
      }
    }
    failures(broken, html);
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
    List<String> failed = new ArrayList<>();
    for (Seen<GateResult> each : all) {
      if (each.what().held()) {
        words.computeIfAbsent(each.what().observed(), o -> new ArrayList<>()).add(each.cell());
      } else {
        failed.add(place(each.cell()) + ": " + each.what().observed());
      }
    }
    failures(failed, observed);
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

  /** What went wrong where: a few in sight, the rest in a list that opens. */
  private static void failures(List<String> said, Markup html) {
    said.stream()
        .limit(FAILURES_IN_SIGHT)
        .forEach(each -> html.element("p", each, "class", "observed"));
    if (said.size() > FAILURES_IN_SIGHT) {
      html.start("details");
      html.element("summary", "and " + (said.size() - FAILURES_IN_SIGHT) + " more").start("ul");
      said.stream()
          .skip(FAILURES_IN_SIGHT)
          .forEach(each -> html.element("li", each, "class", "observed"));
      html.end().end();
    }
  }

  /** What was said everywhere, or a list that opens where it differs from place to place. */
  private static void observations(Map<String, List<Cell>> words, int places, Markup html) {
    if (words.size() == 1 && words.values().iterator().next().size() == places) {
      html.text(words.keySet().iterator().next());
    } else if (!words.isEmpty()) {
      html.start("details");
      int said = words.values().stream().mapToInt(List::size).sum();
      String first = words.keySet().iterator().next();
      html.element("summary", first + " and others (" + said + " in all)");
      html.start("ul");
      words.forEach(
          (text, cells) -> {
            List<String> where = cells.stream().map(Proof::place).toList();
            html.start("li").element("b", text).text(": " + String.join(", ", where)).end();
          });
      html.end().end();
    }
  }

  private static String place(Cell cell) {
    return cell.arm() + " block " + cell.block();
  }
}
