package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table with a caption and heads for rows and columns, in a box of its own that scrolls when the
 * page is narrow. The first column names the row.
 */
final class HtmlTable {

  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  private record Column(String name, String unit, boolean numbers, Markup note) {}

  private record Row(String style, List<Value> values) {}

  /**
   * What stands in one place.
   *
   * @param style a class of the style sheet; empty for none
   */
  record Value(Markup content, String style) {
    static Value of(String text) {
      return new Value(new Markup().text(text), "");
    }

    static Value of(Markup content) {
      return new Value(content, "");
    }

    /** A number too uncertain to be relied on. */
    static Value uncertain(String text) {
      Markup content = new Markup().text(text);
      return new Value(content.element("span", " uncertain", "class", "unseen"), "uncertain");
    }
  }

  HtmlTable(String caption) {
    this.caption = caption;
  }

  HtmlTable words(String name) {
    columns.add(new Column(name, "", false, new Markup()));
    return this;
  }

  /** A column of numbers, right-aligned under a head that says their unit. */
  HtmlTable numbers(String name, String unit) {
    return numbers(name, unit, new Markup());
  }

  /** The same with a reference to what is said about the column elsewhere. */
  HtmlTable numbers(String name, String unit, Markup note) {
    columns.add(new Column(name, unit, true, note));
    return this;
  }

  void row(List<Value> values) {
    row("", values);
  }

  /**
   * Adds a row.
   *
   * @param style a class of the style sheet; empty for none
   */
  void row(String style, List<Value> values) {
    if (values.size() != columns.size()) {
      throw new IllegalStateException(caption + ": " + values.size() + " of " + columns.size());
    }
    rows.add(new Row(style, List.copyOf(values)));
  }

  boolean hasRows() {
    return !rows.isEmpty();
  }

  Markup markup() {
    Markup html = new Markup();
    html.start("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
    html.start("table").start("caption").element("span", caption).end();
    html.start("thead").start("tr");
    for (Column each : columns) {
      html.start("th", "scope", "col", "class", each.numbers() ? "number" : "words");
      html.text(each.name()).add(each.note());
      if (!each.unit().isEmpty()) {
        html.text(" ").element("span", each.unit(), "class", "unit");
      }
      html.end();
    }
    html.end().end().start("tbody");
    rows.forEach(each -> write(each, html));
    return html.end().end().end();
  }

  private void write(Row row, Markup html) {
    html.start("tr", "class", row.style());
    for (int i = 0; i < columns.size(); i++) {
      Value value = row.values().get(i);
      String kind = (columns.get(i).numbers() ? "number " : "words ") + value.style();
      if (i == 0) {
        html.start("th", "scope", "row", "class", kind.strip());
      } else {
        html.start("td", "class", kind.strip());
      }
      html.add(value.content()).end();
    }
    html.end();
  }
}
