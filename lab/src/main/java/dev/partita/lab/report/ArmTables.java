package dev.partita.lab.report;

import dev.partita.lab.load.Outcome;
import dev.partita.lab.report.HtmlTable.Value;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Times;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What each arm did, how long it took, and the hot row's turns, as tables. */
final class ArmTables {

  private static final String PREDICTED = "turns_predicted_per_second";
  private static final String MEASURED = "turns_measured_per_second";

  /** Figures that have a table of their own. */
  static final Set<String> TURNS = Set.of(PREDICTED, MEASURED);

  /** Hundredths of a unit; what is less is of no interest beside the rest of the table. */
  private static final int DECIMALS_MAX = 2;

  /** A part of the way from intended start to answer, and how much of it is told. */
  private record Part(String name, Function<Latencies, Times> time, Percentile percentile) {}

  private static final List<Part> PARTS =
      List.of(
          new Part("service p50", Latencies::service, Percentile.P50),
          new Part("service p99", Latencies::service, Percentile.P99),
          new Part("pool wait p99", Latencies::poolWait, Percentile.P99),
          new Part("lag p99", Latencies::lag, Percentile.P99));

  private static final Times NO_TIMES = new Times(0, 0, 0, 0, 0, 0, 0, List.of());

  private ArmTables() {}

  static Markup goodput(List<Arm> arms) {
    boolean rejected = any(arms, each -> each.counts().rejected());
    boolean replayed = any(arms, each -> each.counts().replayed());
    boolean failed = arms.stream().anyMatch(each -> !failures(each).isEmpty());
    ArmTable table = new ArmTable("Goodput: transfers made a second, over the blocks of each arm");
    table.numbers("callers", "", arm -> Value.of(Numbers.count(arm.setup().callers())));
    table.numbers("connections", "", arm -> Value.of(Numbers.count(arm.setup().connections())));
    if (arms.stream().anyMatch(each -> each.setup().batch() != 1)) {
      table.numbers("batch", "transfers", arm -> Value.of(Numbers.count(arm.setup().batch())));
    }
    table.numbers(
        "blocks used",
        "",
        arm -> Value.of((arm.usable() ? arm.counted().size() : 0) + " of " + arm.cells().size()));
    int decimals = Numbers.decimals(arms.stream().map(each -> each.goodput().median()).toList());
    Function<Double, String> fixed = figure -> Numbers.fixed(figure, decimals);
    table.numbers("median", "per s", arm -> headline(fixed.apply(arm.goodput().median())));
    table.numbers("least", "per s", arm -> Value.of(fixed.apply(arm.goodput().min())));
    table.numbers("most", "per s", arm -> Value.of(fixed.apply(arm.goodput().max())));
    if (arms.stream().anyMatch(Arm::openLoop)) {
      table.numbers("offered", "per s", arm -> Value.of(offered(arm)));
    }
    if (rejected) {
      table.numbers("rejected", "per s", arm -> perSecond(arm, each -> each.counts().rejected()));
    }
    if (replayed) {
      table.numbers("replayed", "per s", arm -> perSecond(arm, each -> each.counts().replayed()));
    }
    if (failed) {
      table.words(
          "Not answered", arm -> Value.of(failures(arm).isEmpty() ? "none" : failures(arm)));
    }
    return table.words("Verdict", arm -> Value.of(badge(arm.verdict()))).of(arms);
  }

  private static boolean any(List<Arm> arms, ToLongFunction<Cell> count) {
    return arms.stream()
        .flatMap(each -> each.cells().stream())
        .anyMatch(each -> count.applyAsLong(each) > 0);
  }

  /** In words, what the table of goodput leaves out because it never happened; may be empty. */
  static Markup uneventful(List<Arm> arms) {
    List<String> never = new ArrayList<>();
    if (!any(arms, each -> each.counts().rejected())) {
      never.add("no transfer was rejected");
    }
    if (!any(arms, each -> each.counts().replayed())) {
      never.add("none was a repeat");
    }
    if (arms.stream().allMatch(each -> failures(each).isEmpty())) {
      never.add("every operation was answered");
    }
    Markup html = new Markup();
    if (!never.isEmpty() && !arms.isEmpty()) {
      html.element("p", "In all arms: " + String.join(", ", never) + ".", "class", "aside");
    }
    return html;
  }

  private static Value headline(String text) {
    return new Value(new Markup().text(text), "headline");
  }

  private static String offered(Arm arm) {
    return arm.openLoop() ? rate(arm, each -> each.counts().offeredPerSecond()) : Numbers.NONE;
  }

  static Markup times(List<Arm> arms) {
    TimeScale scale =
        TimeScale.forAll(
            arms.stream().map(each -> each.micros(Latencies::response, Times::p50)).toList());
    boolean open = arms.stream().anyMatch(Arm::openLoop);
    ArmTable table =
        new ArmTable(
            "Response times, the median of the blocks; n the least of them"
                + (open ? "" : " (closed loop: no latency claim)"));
    if (open) {
      table.words("Loop", arm -> arm.openLoop() ? Value.of("open") : new Value(closed(), "closed"));
    }
    table.numbers("n", "", arm -> Value.of(Numbers.count(arm.samples(Latencies::response))));
    for (Percentile each : Percentile.ALL) {
      Function<Arm, Value> value = timeColumn(arms, scale, Latencies::response, each);
      table.numbers(each.title(), scale.unit(), value);
    }
    table.numbers("max", scale.unit(), maxColumn(arms, scale));
    if (waited(arms)) {
      for (Part each : PARTS) {
        Function<Arm, Value> value = timeColumn(arms, scale, each.time(), each.percentile());
        table.numbers(each.name(), scale.unit(), value);
      }
    }
    return table.of(arms);
  }

  /** What there is between intended start and answer besides service, in words. */
  static Markup waiting(List<Arm> arms) {
    return new Markup()
        .text(
            waited(arms)
                ? "Service runs from having a connection to the answer; pool wait is the time before"
                    + " it; lag is the generator's own lateness."
                : "No operation was begun late or waited for a connection: all of this is service.");
  }

  /** Whether anything waited before it was served; in a closed loop nothing need. */
  private static boolean waited(List<Arm> arms) {
    return arms.stream()
        .flatMap(each -> each.cells().stream())
        .map(Cell::latencies)
        .anyMatch(each -> each.lag().p99() > 0 || each.poolWait().p99() > 0);
  }

  private static Markup closed() {
    return new Markup().text("closed: no latency claim");
  }

  private static Function<Arm, Value> timeColumn(
      List<Arm> arms, TimeScale scale, Function<Latencies, Times> time, Percentile percentile) {
    List<Double> column =
        arms.stream().map(each -> scale.of(each.micros(time, percentile.value()))).toList();
    int decimals = Math.min(DECIMALS_MAX, Numbers.decimals(column));
    return arm -> {
      long samples = arm.samples(time);
      if (percentile.withheld(samples)) {
        return Value.of(Numbers.NONE);
      }
      String text = Numbers.fixed(scale.of(arm.micros(time, percentile.value())), decimals);
      return percentile.certain(samples) ? Value.of(text) : Value.uncertain(text);
    };
  }

  private static Function<Arm, Value> maxColumn(List<Arm> arms, TimeScale scale) {
    ToDoubleFunction<Arm> longest =
        arm -> scale.of(arm.spread(each -> each.latencies().response().max()).max());
    int decimals = Numbers.decimals(arms.stream().map(longest::applyAsDouble).toList());
    return arm ->
        arm.samples(Latencies::response) == 0
            ? Value.of(Numbers.NONE)
            : Value.of(Numbers.fixed(longest.applyAsDouble(arm), decimals));
  }

  /** Response times by outcome, of arms that had more than one; empty if there are none. */
  static Markup outcomes(List<Arm> arms) {
    HtmlTable table = new HtmlTable("Outcomes, and how long an operation took to reach each");
    table.words("Arm").words("Outcome").numbers("operations", "").numbers("share", "%");
    table.numbers("p50", "ms").numbers("p99", "ms").numbers("max", "ms");
    for (Arm arm : arms) {
      Map<String, Long> counts = outcomeCounts(arm);
      if (counts.size() < 2) {
        continue;
      }
      long offered = Math.max(1, counts.values().stream().mapToLong(each -> each).sum());
      counts.forEach(
          (outcome, count) -> {
            Function<Latencies, Times> time =
                each -> each.byOutcome().getOrDefault(outcome, NO_TIMES);
            List<Value> values = new ArrayList<>();
            values.add(Value.of(arm.name()));
            values.add(Value.of(outcome));
            values.add(Value.of(Numbers.count(count)));
            values.add(Value.of(Numbers.fixed(100.0 * count / offered, 3)));
            values.add(outcomeTime(arm, time, Percentile.P50));
            values.add(outcomeTime(arm, time, Percentile.P99));
            double max =
                arm.cells().stream()
                    .mapToDouble(each -> time.apply(each.latencies()).max())
                    .max()
                    .orElse(0);
            values.add(Value.of(max == 0 ? Numbers.NONE : Numbers.fixed(max / 1e3, 2)));
            table.row(style(arm), values);
          });
    }
    return table.hasRows() ? table.markup() : new Markup();
  }

  private static Value outcomeTime(
      Arm arm, Function<Latencies, Times> time, Percentile percentile) {
    long samples =
        arm.counted().stream().mapToLong(each -> time.apply(each.latencies()).count()).sum();
    if (percentile.withheld(samples)) {
      return Value.of(Numbers.NONE);
    }
    String text = Numbers.fixed(arm.micros(time, percentile.value()) / 1e3, 2);
    return percentile.certain(samples) ? Value.of(text) : Value.uncertain(text);
  }

  /** Predicted beside measured turns on the hot row; empty if no cell has both. */
  static Markup turns(List<Arm> arms) {
    HtmlTable table = new HtmlTable("Turns on the hot row: predicted and measured");
    table.words("Arm").numbers("predicted", "per s").numbers("measured", "per s");
    table.numbers("measured ÷ predicted", "");
    for (Arm arm : arms) {
      double predicted = arm.spread(each -> each.figure(PREDICTED).orElse(Double.NaN)).median();
      double measured = arm.spread(each -> each.figure(MEASURED).orElse(Double.NaN)).median();
      if (Double.isFinite(predicted) && Double.isFinite(measured)) {
        table.row(
            style(arm),
            List.of(
                Value.of(arm.name()),
                Value.of(Numbers.figure(predicted)),
                Value.of(Numbers.figure(measured)),
                Value.of(Numbers.fixed(measured / predicted, 2))));
      }
    }
    return table.hasRows() ? table.markup() : new Markup();
  }

  /** Marks rows whose figures are worthless. */
  static String style(Arm arm) {
    return arm.usable() ? "" : "worthless";
  }

  static Markup badge(Verdict verdict) {
    return new Markup().element("span", verdict.name(), "class", "badge " + verdict.name());
  }

  /** Empty if there are none. */
  private static String failures(Arm arm) {
    return outcomeCounts(arm).entrySet().stream()
        .filter(outcome -> !Outcome.valueOf(outcome.getKey()).isAnswer())
        .map(outcome -> outcome.getKey() + " " + Numbers.count(outcome.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Of all blocks: a failure is worth knowing even where the figures are not used. */
  private static Map<String, Long> outcomeCounts(Arm arm) {
    Map<String, Long> counts = new TreeMap<>();
    for (Cell each : arm.cells()) {
      each.counts().outcomes().forEach((name, count) -> counts.merge(name, count, Long::sum));
    }
    return counts;
  }

  private static Value perSecond(Arm arm, ToLongFunction<Cell> count) {
    return Value.of(rate(arm, each -> count.applyAsLong(each) / each.setup().seconds()));
  }

  private static String rate(Arm arm, ToDoubleFunction<Cell> perSecond) {
    double median = arm.spread(perSecond).median();
    return median == 0 ? "0" : Numbers.figure(median);
  }
}
