package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What was measured besides the load: tables of one column a figure, and notes below them. */
final class FigureTables {

  private static final String EACH_TRANSFER = "_per_transfer";

  private final List<Arm> arms;

  /** Figures by key, parts right behind what they are part of; one of each names the column. */
  private final Map<String, Figure> columns;

  private final Notes notes;

  private FigureTables(List<Arm> arms) {
    this.arms = arms;
    this.columns = columns(arms);
    this.notes = new Notes(arms);
  }

  /** The tables and their notes; empty if nothing was measured. */
  static Markup of(List<Arm> arms) {
    FigureTables tables = new FigureTables(arms);
    Markup html = new Markup();
    Map<String, Figure> same = new LinkedHashMap<>(tables.columns);
    same.keySet().removeIf(each -> !tables.sameEverywhere(each));
    tables.columns.keySet().removeAll(same.keySet());
    tables.table("What a transfer costs", each -> each.contains(EACH_TRANSFER), html);
    tables.table(
        "What the database did", each -> !each.contains(EACH_TRANSFER) && !Waits.about(each), html);
    tables.table("What sessions were found doing, in figures", Waits::about, html);
    tables.common(same, html);
    return html.add(tables.notes.markup());
  }

  private static Map<String, Figure> columns(List<Arm> arms) {
    Map<String, Figure> found = new LinkedHashMap<>();
    for (Arm arm : arms) {
      for (Cell cell : arm.cells()) {
        for (Figure each : cell.figures()) {
          if (!ArmTables.TURNS.contains(each.key())) {
            found.putIfAbsent(each.key(), each);
          }
        }
      }
    }
    Map<String, Figure> ordered = new LinkedHashMap<>();
    found.forEach(
        (key, figure) -> {
          ordered.putIfAbsent(key, figure);
          String parts = key + ".";
          found.keySet().stream()
              .filter(each -> each.startsWith(parts))
              .forEach(each -> ordered.putIfAbsent(each, found.getOrDefault(each, figure)));
        });
    return ordered;
  }

  private void table(String what, Predicate<String> wanted, Markup html) {
    List<String> keys = columns.keySet().stream().filter(wanted).toList();
    if (keys.isEmpty()) {
      return;
    }
    ArmTable table = new ArmTable(what + ", the median of the blocks");
    for (String key : keys) {
      Figure figure = columns.getOrDefault(key, Figure.of(key, key, 0, ""));
      List<Double> column = arms.stream().map(each -> median(each, key)).toList();
      boolean whole = column.stream().noneMatch(each -> Double.isFinite(each) && each % 1 != 0);
      int decimals = whole ? 0 : Numbers.decimalsAtMost(column);
      table.numbers(
          figure.name(),
          figure.unit(),
          notes.ofAll(key),
          arm -> HtmlTable.Value.of(value(arm, key, decimals)));
    }
    html.add(table.of(arms));
  }

  private Markup value(Arm arm, String key, int decimals) {
    Markup content = new Markup();
    double median = median(arm, key);
    if (Double.isFinite(median)) {
      content.text(Numbers.fixed(median, decimals));
    } else if (arm.cells().stream().noneMatch(each -> has(each, key))) {
      content.text(Numbers.NONE);
    } else {
      content.element("span", "not measured", "class", "missing");
    }
    return content.add(notes.of(arm, key));
  }

  private static boolean has(Cell cell, String key) {
    return cell.figures().stream().anyMatch(each -> each.key().equals(key));
  }

  /** A column would say nothing. */
  private boolean sameEverywhere(String key) {
    return arms.size() > 1
        && !notes.any(key)
        && arms.stream().mapToDouble(each -> median(each, key)).distinct().count() == 1
        && Double.isFinite(median(arms.getFirst(), key));
  }

  private void common(Map<String, Figure> same, Markup html) {
    if (same.isEmpty()) {
      return;
    }
    List<String> said = new ArrayList<>();
    same.forEach(
        (key, figure) -> {
          String value = Numbers.plain(median(arms.getFirst(), key)) + " " + figure.unit();
          said.add(figure.name() + " " + value.strip());
        });
    html.element("p", "The same in every arm: " + String.join("; ", said) + ".", "class", "aside");
  }

  private static double median(Arm arm, String key) {
    return arm.spread(each -> each.figure(key).orElse(Double.NaN)).median();
  }
}
