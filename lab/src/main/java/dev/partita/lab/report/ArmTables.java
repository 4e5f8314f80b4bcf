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

  private static final Times NO_TIMES = new Times(0, 0, 0, 0, 0, 0, 0, List.of());

  private ArmTables() {}

  static Markup goodput(List<Arm> arms) {
    HtmlTable table =
        new HtmlTable("Goodput: transfers made a second, over the blocks of each arm");
    boolean batches = arms.stream().anyMatch(each -> each.setup().batch() != 1);
    boolean open = arms.stream().anyMatch(Arm::openLoop);
    table.words("Arm").numbers("callers", "").numbers("connections", "");
    if (batches) {
      table.numbers("batch", "transfers");
    }
    table.numbers("blocks used", "").numbers("median", "per s").numbers("least", "per s");
    table.numbers("most", "per s");
    if (open) {
      table.numbers("offered", "per s");
    }
    table.numbers("rejected", "per s").numbers("replayed", "per s").words("Not answered");
    table.words("Verdict");
    int decimals = Numbers.decimals(arms.stream().map(each -> each.goodput().median()).toList());
    for (Arm arm : arms) {
      Spread goodput = arm.goodput();
      List<Value> values = new ArrayList<>();
      values.add(Value.of(arm.name()));
      values.add(Value.of(Numbers.count(arm.setup().callers())));
      values.add(Value.of(Numbers.count(arm.setup().connections())));
      if (batches) {
        values.add(Value.of(Numbers.count(arm.setup().batch())));
      }
      values.add(Value.of((arm.usable() ? arm.counted().size() : 0) + " of " + arm.cells().size()));
      values.add(
          new Value(new Markup().text(Numbers.fixed(goodput.median(), decimals)), "headline"));
      values.add(Value.of(Numbers.fixed(goodput.min(), decimals)));
      values.add(Value.of(Numbers.fixed(goodput.max(), decimals)));
      if (open) {
        String offered = rate(arm, each -> each.counts().offeredPerSecond());
        values.add(Value.of(arm.openLoop() ? offered : Numbers.NONE));
      }
      values.add(Value.of(perSecond(arm, each -> each.counts().rejected())));
      values.add(Value.of(perSecond(arm, each -> each.counts().replayed())));
      values.add(Value.of(failures(arm)));
      values.add(Value.of(badge(arm.verdict())));
      table.row(style(arm), values);
    }
    return table.markup();
  }

  static Markup times(List<Arm> arms) {
    TimeScale scale =
        TimeScale.forAll(
            arms.stream().map(each -> each.micros(Latencies::response, Times::p50)).toList());
    boolean open = arms.stream().anyMatch(Arm::openLoop);
    HtmlTable table =
        new HtmlTable(
            "Response times, the median of the blocks; n the least of them"
                + (open ? "" : " (closed loop: no latency claim)"));
    table.words("Arm");
    if (open) {
      table.words("Loop");
    }
    table.numbers("n", "");
    for (Percentile each : Percentile.ALL) {
      table.numbers(each.title(), scale.unit());
    }
    table.numbers("max", scale.unit()).numbers("service p50", scale.unit());
    table.numbers("service p99", scale.unit()).numbers("pool wait p99", scale.unit());
    table.numbers("lag p99", scale.unit());
    List<Function<Arm, Value>> columns = new ArrayList<>();
    for (Percentile each : Percentile.ALL) {
      columns.add(timeColumn(arms, scale, Latencies::response, each));
    }
    columns.add(maxColumn(arms, scale));
    columns.add(timeColumn(arms, scale, Latencies::service, Percentile.P50));
    columns.add(timeColumn(arms, scale, Latencies::service, Percentile.P99));
    columns.add(timeColumn(arms, scale, Latencies::poolWait, Percentile.P99));
    columns.add(timeColumn(arms, scale, Latencies::lag, Percentile.P99));
    for (Arm arm : arms) {
      List<Value> values = new ArrayList<>();
      values.add(Value.of(arm.name()));
      if (open) {
        values.add(arm.openLoop() ? Value.of("open") : new Value(closed(), "closed"));
      }
      values.add(Value.of(Numbers.count(arm.samples(Latencies::response))));
      columns.forEach(each -> values.add(each.apply(arm)));
      table.row(style(arm), values);
    }
    return table.markup();
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

  private static String failures(Arm arm) {
    String each =
        outcomeCounts(arm).entrySet().stream()
            .filter(outcome -> !Outcome.valueOf(outcome.getKey()).isAnswer())
            .map(outcome -> outcome.getKey() + " " + Numbers.count(outcome.getValue()))
            .collect(Collectors.joining(", "));
    return each.isEmpty() ? "none" : each;
  }

  /** Of all blocks: a failure is worth knowing even where the figures are not used. */
  private static Map<String, Long> outcomeCounts(Arm arm) {
    Map<String, Long> counts = new TreeMap<>();
    for (Cell each : arm.cells()) {
      each.counts().outcomes().forEach((name, count) -> counts.merge(name, count, Long::sum));
    }
    return counts;
  }

  private static String perSecond(Arm arm, ToLongFunction<Cell> count) {
    return rate(arm, each -> count.applyAsLong(each) / each.setup().seconds());
  }

  private static String rate(Arm arm, ToDoubleFunction<Cell> perSecond) {
    double median = arm.spread(perSecond).median();
    return median == 0 ? "0" : Numbers.figure(median);
  }
}
