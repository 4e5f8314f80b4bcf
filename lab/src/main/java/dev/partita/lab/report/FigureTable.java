package dev.partita.lab.report;

import dev.partita.lab.report.HtmlTable.Value;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What was measured besides the load: one column a figure, its notes below the table. */
final class FigureTable {

  private final List<Arm> arms;

  /** Figures by key as they first occur; the first that was measured names the column. */
  private final Map<String, Figure> columns = new LinkedHashMap<>();

  /** Notes and the number under which they stand below the table. */
  private final Map<String, Integer> notes = new LinkedHashMap<>();

  FigureTable(List<Arm> arms) {
    this.arms = arms;
    for (Arm arm : arms) {
      for (Cell cell : arm.cells()) {
        for (Figure each : cell.figures()) {
          if (!ArmTables.TURNS.contains(each.key())) {
            columns.putIfAbsent(each.key(), each);
          }
        }
      }
    }
  }

  /** The table and its notes; empty if nothing was measured. */
  Markup markup() {
    if (columns.isEmpty()) {
      return new Markup();
    }
    HtmlTable table = new HtmlTable("Cost and behaviour of each arm, the median of its blocks");
    table.words("Arm");
    columns.forEach(
        (key, each) -> {
          List<String> common = commonNotes(key);
          Markup note = new Markup();
          common.forEach(said -> reference(said, note));
          table.numbers(each.name(), each.unit(), note);
        });
    Map<String, Integer> decimals = new LinkedHashMap<>();
    for (String key : columns.keySet()) {
      List<Double> column = arms.stream().map(each -> median(each, key)).toList();
      boolean whole = column.stream().noneMatch(each -> Double.isFinite(each) && each % 1 != 0);
      decimals.put(key, whole ? 0 : Numbers.decimals(column));
    }
    for (Arm arm : arms) {
      List<Value> values = new ArrayList<>();
      values.add(Value.of(arm.name()));
      decimals.forEach((key, digits) -> values.add(value(arm, key, digits)));
      table.row(ArmTables.style(arm), values);
    }
    Markup html = table.markup();
    if (!notes.isEmpty()) {
      html.start("ol", "class", "notes");
      notes.forEach((note, number) -> html.element("li", note, "id", "note-" + number));
      html.end();
    }
    return html;
  }

  private Value value(Arm arm, String key, int decimals) {
    double median = median(arm, key);
    Markup content = new Markup();
    List<String> said = notesOf(arm, key);
    if (Double.isFinite(median)) {
      content.text(Numbers.fixed(median, decimals));
    } else {
      String why = said.isEmpty() ? "" : said.getFirst();
      content.element("span", "not measured", "class", "missing", "title", why);
    }
    said.stream()
        .filter(each -> !commonNotes(key).contains(each))
        .forEach(each -> reference(each, content));
    return Value.of(content);
  }

  private void reference(String note, Markup html) {
    int number = notes.computeIfAbsent(note, each -> notes.size() + 1);
    html.start("sup").element("a", String.valueOf(number), "href", "#note-" + number).end();
  }

  /** What is said of a figure in every arm: said once, at the head of its column. */
  private List<String> commonNotes(String key) {
    return notesOf(arms.getFirst(), key).stream()
        .filter(note -> arms.stream().allMatch(arm -> notesOf(arm, key).contains(note)))
        .toList();
  }

  private static double median(Arm arm, String key) {
    return arm.spread(each -> each.figure(key).orElse(Double.NaN)).median();
  }

  private static List<String> notesOf(Arm arm, String key) {
    return arm.counted().stream()
        .flatMap(FigureTable::figures)
        .filter(each -> each.key().equals(key))
        .map(Figure::note)
        .filter(note -> !note.isEmpty())
        .distinct()
        .toList();
  }

  private static Stream<Figure> figures(Cell cell) {
    return cell.figures().stream();
  }
}
