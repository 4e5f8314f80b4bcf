package dev.partita.lab.report;

import dev.partita.lab.report.Plot.Axis;
import dev.partita.lab.report.Plot.Line;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Spread;
import dev.partita.lab.result.Times;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The drawings of a page, from the arms of a run. */
final class Plots {

  /** More series than a reader tells apart at one place of a drawing. */
  private static final int CROWD = 5;

  private final String xLabel;
  private final List<Arm> arms;
  private final Styles styles;

  /** Arms that stand on an axis with others, by what was emulated, nothing first. */
  private final Map<String, List<Arm>> onAxis = new LinkedHashMap<>();

  Plots(Run run, List<Arm> arms, Styles styles) {
    this.xLabel = run.about().xAxis();
    this.arms = arms;
    this.styles = styles;
    arms.stream()
        .filter(each -> each.x().isPresent())
        .sorted(
            Comparator.comparing(Plots::emulated)
                .thenComparingInt(each -> seriesOf(arms).indexOf(each.setup().series()))
                .thenComparingDouble(each -> each.x().orElseThrow()))
        .forEach(
            each ->
                onAxis
                    .computeIfAbsent(each.setup().emulation(), name -> new ArrayList<>())
                    .add(each));
    onAxis.values().removeIf(group -> places(group).size() < 2);
  }

  private static List<String> seriesOf(List<Arm> arms) {
    return arms.stream().map(each -> each.setup().series()).distinct().toList();
  }

  private static boolean emulated(Arm arm) {
    return !arm.setup().emulation().isEmpty();
  }

  /** Arms that no plot over an axis shows. */
  List<Arm> beside() {
    List<Arm> shown = onAxis.values().stream().flatMap(Collection::stream).toList();
    return arms.stream().filter(each -> !shown.contains(each)).toList();
  }

  /**
   * Arms at the place of the axis where most series are, without those that were emulated; empty if
   * the lines alone show them well.
   */
  List<Arm> crowd() {
    List<Arm> plain = onAxis.getOrDefault("", List.of());
    Map<Double, List<Arm>> byPlace = new LinkedHashMap<>();
    arms.stream()
        .filter(plain::contains)
        .forEach(
            each ->
                byPlace.computeIfAbsent(each.x().orElseThrow(), x -> new ArrayList<>()).add(each));
    return byPlace.values().stream()
        .max(Comparator.comparingInt(List::size))
        .filter(each -> each.size() >= CROWD)
        .orElse(List.of());
  }

  /** Goodput over the axis, one plot for each emulation. */
  List<Plot> goodput() {
    List<Plot> plots = new ArrayList<>();
    onAxis.forEach(
        (emulation, group) -> {
          List<Line> lines = new ArrayList<>(offered(group));
          lines.addAll(seriesLines(group, Arm::goodput, each -> each.counts().goodputPerSecond()));
          plots.add(
              new Plot(
                  "goodput-" + plots.size(),
                  titled("Goodput over " + xLabel, emulation),
                  xAxis(group),
                  Axis.log("transfers per second", "count"),
                  false,
                  lines));
        });
    return plots;
  }

  /** Half of all response times, and 99 of 100, over the axis. */
  List<Plot> latency() {
    List<Plot> plots = new ArrayList<>();
    onAxis.forEach(
        (emulation, group) -> {
          plots.add(latency("p50", Times::p50, emulation, group, plots.size()));
          plots.add(latency("p99", Times::p99, emulation, group, plots.size()));
        });
    return plots;
  }

  private Plot latency(
      String name, ToLongFunction<Times> percentile, String emulation, List<Arm> group, int id) {
    boolean closed = group.stream().noneMatch(Arm::openLoop);
    ToDoubleFunction<Cell> micros =
        each ->
            each.latencies().response().count() == 0
                ? Double.NaN
                : percentile.applyAsLong(each.latencies().response());
    List<Double> all =
        group.stream()
            .flatMap(each -> each.counted().stream())
            .map(each -> each.latencies().response())
            .filter(each -> each.count() > 0)
            .flatMap(each -> List.of((double) each.p50(), (double) each.p99()).stream())
            .toList();
    Spread range = Spread.of(all);
    String claim = closed ? " (closed loop: no latency claim)" : "";
    return new Plot(
        "latency-" + id,
        titled("Response time " + name + " over " + xLabel + claim, emulation),
        xAxis(group),
        Axis.log(name, "micros").between(range.min(), range.max()),
        false,
        seriesLines(group, each -> each.spread(micros), micros));
  }

  /** What each arm committed in every second, each block a line. */
  List<Plot> seconds() {
    List<Plot> plots = new ArrayList<>();
    for (Arm arm : arms) {
      List<Line> lines = new ArrayList<>();
      for (Cell cell : arm.cells()) {
        List<List<Double>> points = new ArrayList<>();
        // The last may be only part of a second, and would look like a fall.
        int whole = (int) Math.min(cell.setup().seconds(), cell.committedBySecond().size());
        for (int second = 0; second < whole; second++) {
          points.add(List.of((double) second, (double) cell.committedBySecond().get(second)));
        }
        if (points.size() > 1) {
          lines.add(new Line("block " + cell.block(), styles.number(arm), "thin", points));
        }
      }
      if (!lines.isEmpty()) {
        plots.add(
            new Plot(
                "seconds-" + plots.size(),
                arm.name(),
                Axis.linear("", "count"),
                Axis.linear("", "count"),
                true,
                lines));
      }
    }
    return plots;
  }

  /** The whole distribution of each arm's typical block: response and service. */
  List<Plot> percentiles() {
    List<Times> all =
        arms.stream()
            .map(each -> each.typical().latencies())
            .flatMap(each -> List.of(each.response(), each.service()).stream())
            .filter(each -> each.count() > 0)
            .toList();
    Spread times =
        Spread.of(
            all.stream()
                .flatMap(each -> each.curve().stream())
                .map(each -> (double) Math.max(1, each.micros()))
                .toList());
    double rarest = all.stream().mapToLong(Times::count).max().orElse(1);
    List<Plot> plots = new ArrayList<>();
    for (Arm arm : arms) {
      Latencies latencies = arm.typical().latencies();
      List<Line> lines = new ArrayList<>();
      curve("response", "line", latencies.response(), arm, lines);
      curve("service", "dashed", latencies.service(), arm, lines);
      if (!lines.isEmpty()) {
        plots.add(
            new Plot(
                "percentiles-" + plots.size(),
                arm.name(),
                Axis.log("", "tail").between(1, rarest),
                Axis.log("", "micros").between(times.min(), times.max()),
                true,
                lines));
      }
    }
    return plots;
  }

  private void curve(String name, String mark, Times times, Arm arm, List<Line> lines) {
    List<List<Double>> points = new ArrayList<>();
    double last = 0;
    for (Times.Point each : times.curve()) {
      double tail = each.percentile() >= 100 ? times.count() : 1 / (1 - each.percentile() / 100);
      if (tail > last && tail <= times.count()) {
        points.add(List.of(tail, (double) Math.max(1, each.micros())));
        last = tail;
      }
    }
    if (points.size() > 1) {
      lines.add(new Line(name, styles.number(arm), mark, points));
    }
  }

  /** What was asked of arms in an open loop, as a line that their goodput cannot cross. */
  private static List<Line> offered(List<Arm> group) {
    Map<Double, Double> byPlace =
        group.stream()
            .filter(Arm::openLoop)
            .collect(
                Collectors.toMap(
                    each -> each.x().orElseThrow(),
                    each ->
                        each.spread(cell -> cell.counts().offeredPerSecond()).median()
                            * each.setup().batch(),
                    Math::max,
                    java.util.TreeMap::new));
    List<List<Double>> points =
        byPlace.entrySet().stream().map(each -> List.of(each.getKey(), each.getValue())).toList();
    return points.isEmpty() ? List.of() : List.of(new Line("offered", 0, "reference", points));
  }

  /** A line through the medians of each series, and dots for its blocks. */
  private List<Line> seriesLines(
      List<Arm> group,
      java.util.function.Function<Arm, Spread> median,
      ToDoubleFunction<Cell> figure) {
    Map<String, List<Arm>> bySeries =
        group.stream()
            .filter(Arm::usable)
            .collect(
                Collectors.groupingBy(
                    each -> each.setup().series(), LinkedHashMap::new, Collectors.toList()));
    List<Line> lines = new ArrayList<>();
    bySeries.forEach(
        (name, members) -> {
          Map<Integer, List<List<Double>>> blocks = new LinkedHashMap<>();
          List<List<Double>> medians = new ArrayList<>();
          for (Arm arm : members) {
            double x = arm.x().orElseThrow();
            add(medians, x, median.apply(arm).median());
            for (Cell each : arm.counted()) {
              add(
                  blocks.computeIfAbsent(each.block(), block -> new ArrayList<>()),
                  x,
                  figure.applyAsDouble(each));
            }
          }
          if (medians.isEmpty()) {
            return;
          }
          blocks.values().forEach(each -> lines.add(line(name, "dots", each)));
          lines.add(line(name, "line", medians));
        });
    return lines;
  }

  private Line line(String name, String mark, List<List<Double>> points) {
    return new Line(name, styles.number(name), mark, points);
  }

  /** Logarithms know no zero. */
  private static void add(List<List<Double>> points, double x, double y) {
    if (Double.isFinite(y) && y > 0) {
      points.add(List.of(x, y));
    }
  }

  private Axis xAxis(List<Arm> group) {
    return Axis.log(xLabel, "count").withTicks(places(group));
  }

  private static List<Double> places(List<Arm> group) {
    return group.stream().map(each -> each.x().orElseThrow()).distinct().sorted().toList();
  }

  private static String titled(String title, String emulation) {
    return emulation.isEmpty() ? title : title + ", emulated: " + emulation;
  }
}
