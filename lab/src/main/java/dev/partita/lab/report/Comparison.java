package dev.partita.lab.report;

import dev.partita.lab.report.HtmlTable.Value;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Arms side by side as bars, and ratios of neighbours as a forest plot: tables that hold marks. */
final class Comparison {

  private static final double[] TICKS = {
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000
  };

  private Comparison() {}

  /** Goodput of arms as horizontal bars from zero, each block as a dot. */
  static Markup bars(String caption, List<Arm> arms, Styles styles) {
    double most =
        Math.max(1, arms.stream().mapToDouble(each -> each.goodput().max()).max().orElse(1));
    int decimals = Numbers.decimals(arms.stream().map(each -> each.goodput().median()).toList());
    HtmlTable table = new HtmlTable(caption + ": bar the median, dots the blocks");
    table.words("Arm").numbers("median", "per s").words("");
    for (Arm arm : arms) {
      Markup drawing = new Markup().start("div", "class", "bars", "aria-hidden", "true");
      mark(drawing, "bar " + styles.of(arm), 0, arm.goodput().median() / most);
      arm.counted()
          .forEach(each -> mark(drawing, "dot", each.counts().goodputPerSecond() / most, 0));
      drawing.end();
      table.row(
          ArmTables.style(arm),
          List.of(
              Value.of(arm.name()),
              Value.of(Numbers.fixed(arm.goodput().median(), decimals)),
              new Value(drawing, "drawn wide")));
    }
    return table.markup();
  }

  /** The ratios of a run; empty if it has none. */
  static Markup forest(List<Ratio> ratios) {
    if (ratios.isEmpty()) {
      return new Markup();
    }
    LogScale scale = LogScale.of(ratios);
    HtmlTable table =
        new HtmlTable("Ratios of arms of the same block: dots the blocks, bar their range");
    table.words("What").words("").numbers("median", "×").numbers("least", "×");
    table.numbers("most", "×").words("Wanted");
    for (Ratio each : ratios) {
      Spread spread = Spread.of(each.perBlock());
      Markup name = new Markup().text(each.name());
      if (!(each.name().contains(each.arm()) && each.name().contains(each.against()))) {
        name.element("span", each.arm() + " ÷ " + each.against(), "class", "aside");
      }
      table.row(
          List.of(
              Value.of(name),
              new Value(drawing(each, spread, scale), "drawn"),
              new Value(new Markup().text(plain(each.median())), "headline"),
              Value.of(plain(spread.min())),
              Value.of(plain(spread.max())),
              new Value(wanted(each), "together")));
    }
    table.row(
        "axis",
        List.of(
            Value.of(""),
            new Value(axis(scale), "drawn"),
            Value.of(""),
            Value.of(""),
            Value.of(""),
            Value.of("")));
    return table.markup();
  }

  private static Markup wanted(Ratio ratio) {
    if (ratio.wanted().isEmpty()) {
      return new Markup().text(Numbers.NONE);
    }
    Markup html = new Markup().text(ratio.wanted());
    Wanted.of(ratio)
        .filter(each -> Double.isFinite(ratio.median()))
        .map(each -> each.reached(ratio.median()) ? "reached" : "missed")
        .ifPresent(each -> html.text(" ").element("span", each, "class", each));
    return html;
  }

  private static String plain(double ratio) {
    return Numbers.ratio(ratio).replace("×", "");
  }

  private static Markup drawing(Ratio ratio, Spread spread, LogScale scale) {
    Markup html = new Markup().start("div", "class", "forest", "aria-hidden", "true");
    mark(html, "one", scale.part(1), 0);
    Wanted.of(ratio).ifPresent(each -> mark(html, "wanted", scale.part(each.bound()), 0));
    if (Double.isFinite(spread.median())) {
      double from = scale.part(spread.min());
      mark(html, "range", from, scale.part(spread.max()) - from);
      ratio.perBlock().stream()
          .filter(Double::isFinite)
          .forEach(each -> mark(html, "dot", scale.part(each), 0));
    }
    if (Double.isFinite(ratio.median())) {
      mark(html, "median", scale.part(ratio.median()), 0);
    }
    return html.end();
  }

  private static Markup axis(LogScale scale) {
    Markup html = new Markup().start("div", "class", "ticks", "aria-hidden", "true");
    for (double each : scale.ticks()) {
      html.element("i", Numbers.tick(each) + "×", "style", place(scale.part(each), 0));
    }
    return html.end();
  }

  private static void mark(Markup html, String style, double from, double width) {
    html.element("i", "", "class", style, "style", place(from, width));
  }

  private static String place(double from, double width) {
    String left = String.format(Locale.ROOT, "left:%.2f%%", 100 * from);
    return width == 0 ? left : left + String.format(Locale.ROOT, ";width:%.2f%%", 100 * width);
  }

  /**
   * Where ratios lie between the least and the greatest of all, in equal steps for equal factors.
   */
  private record LogScale(double from, double to) {
    private static final double MARGIN = 1.25;
    private static final int TICKS_MAX = 8;

    static LogScale of(List<Ratio> ratios) {
      double[] all =
          ratios.stream()
              .flatMap(
                  each ->
                      Stream.concat(
                          Stream.concat(each.perBlock().stream(), Stream.of(each.median(), 1.0)),
                          Wanted.of(each).stream().map(Wanted::bound)))
              .mapToDouble(each -> each)
              .filter(each -> Double.isFinite(each) && each > 0)
              .sorted()
              .toArray();
      return new LogScale(all[0] / MARGIN, all[all.length - 1] * MARGIN);
    }

    /** From 0 at the left to 1 at the right. */
    double part(double ratio) {
      double part = Math.log(Math.max(ratio, from) / from) / Math.log(to / from);
      return Math.clamp(part, 0, 1);
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (double each : TICKS) {
        if (each > from && each < to) {
          ticks.add(each);
        }
      }
      if (ticks.size() > TICKS_MAX) {
        ticks.removeIf(each -> Math.abs(Math.log10(each) - Math.rint(Math.log10(each))) > 1e-9);
      }
      return ticks;
    }
  }
}
