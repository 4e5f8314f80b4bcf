package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Places for drawings on the page, and the data that its script draws. */
final class PlotMarkup {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<Plot> all = new ArrayList<>();

  /**
   * Figures with their legends; plots that have nothing to show are left out.
   *
   * @param table where the same figures stand in words
   */
  Markup figures(List<Plot> asked, String table) {
    List<Plot> plots = asked.stream().filter(each -> !each.lines().isEmpty()).toList();
    Markup html = new Markup();
    if (plots.isEmpty()) {
      return html;
    }
    boolean small = plots.getFirst().small();
    html.start("div", "class", small ? "plots small" : plots.size() > 1 ? "plots pair" : "plots");
    for (Plot each : plots) {
      html.start("figure").element("figcaption", each.title());
      html.element(
          "div",
          "",
          "class",
          "drawing",
          "data-plot",
          each.id(),
          "role",
          "img",
          "aria-label",
          each.alternative(table));
      if (!small) {
        legend(each, html);
      }
      html.end();
    }
    all.addAll(plots);
    return html.end();
  }

  private static void legend(Plot plot, Markup html) {
    Map<String, Plot.Line> lines = new LinkedHashMap<>();
    plot.lines().stream()
        .filter(each -> !each.mark().equals("dots"))
        .forEach(each -> lines.put(each.name(), each));
    html.start("ul", "class", "legend");
    for (Plot.Line each : lines.values()) {
      boolean reference = each.mark().equals("reference");
      String style = reference ? "reference" : "s" + each.style();
      html.start("li", "class", style).start("svg", "class", "swatch", "aria-hidden", "true");
      if (each.points().size() > 1) {
        html.element("line", "", "x1", "0", "y1", "6", "x2", "30", "y2", "6");
      }
      if (!reference) {
        marker(each.style(), html);
      }
      html.end().text(each.name()).end();
    }
    html.end();
  }

  /** The script takes the shape from here too. */
  private static void marker(int style, Markup html) {
    html.element(
        "path",
        "",
        "class",
        Markers.hollow(style) ? "marker hollow" : "marker",
        "d",
        Markers.path(style),
        "transform",
        "translate(15 6)");
  }

  /**
   * All plots asked for so far, as JSON that may stand in a script element: no text in it can end
   * that element.
   */
  String data() {
    return JSON.writeValueAsString(all)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }
}
