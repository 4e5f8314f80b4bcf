package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Spread;
import dev.partita.lab.result.Times;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * All blocks of one arm.
 *
 * @param name as the cells have it
 * @param cells by block; at least one
 */
record Arm(String name, List<Cell> cells) {

  /** The arms of a run as the experiment declares them, then those it does not, as they ran. */
  static List<Arm> of(Run run) {
    Map<String, List<Cell>> byName = new LinkedHashMap<>();
    run.about().arms().forEach(name -> byName.put(name, new ArrayList<>()));
    for (Cell each : run.cells()) {
      byName.computeIfAbsent(each.arm(), name -> new ArrayList<>()).add(each);
    }
    return byName.entrySet().stream()
        .filter(each -> !each.getValue().isEmpty())
        .map(each -> new Arm(each.getKey(), byBlock(each.getValue())))
        .toList();
  }

  private static List<Cell> byBlock(List<Cell> cells) {
    return cells.stream().sorted(Comparator.comparingInt(Cell::block)).toList();
  }

  /** What it was meant to do, the same in every block but for the seed. */
  Setup setup() {
    return cells.getFirst().setup();
  }

  Optional<Double> x() {
    return Optional.ofNullable(setup().x());
  }

  boolean openLoop() {
    return setup().ratePerSecond() != null;
  }

  /** The worst of its blocks. */
  Verdict verdict() {
    return cells.stream().map(Cell::verdict).reduce(Verdict.VALID, Verdict::and);
  }

  /** Whether any of its figures may be used. */
  boolean usable() {
    return cells.stream().anyMatch(each -> each.verdict().usable());
  }

  /**
   * The blocks that figures are taken from: those that may be used. If none may, all, because a
   * reader wants to know why; such figures have to be shown as worthless.
   */
  List<Cell> counted() {
    return usable() ? cells.stream().filter(each -> each.verdict().usable()).toList() : cells;
  }

  Spread spread(ToDoubleFunction<Cell> figure) {
    return Spread.of(counted().stream().map(figure::applyAsDouble).toList());
  }

  Spread goodput() {
    return spread(each -> each.counts().goodputPerSecond());
  }

  /** A percentile of a time, in microseconds: the median over the blocks. */
  double micros(Function<Latencies, Times> time, ToLongFunction<Times> percentile) {
    return Spread.of(
            counted().stream()
                .map(each -> time.apply(each.latencies()))
                .filter(each -> each.count() > 0)
                .map(each -> (double) percentile.applyAsLong(each))
                .toList())
        .median();
  }

  /** How many times a block has at least. */
  long samples(Function<Latencies, Times> time) {
    return counted().stream()
        .mapToLong(each -> time.apply(each.latencies()).count())
        .min()
        .orElse(0);
  }

  /** The block whose goodput is the median, or next to it: the one to show where only one fits. */
  Cell typical() {
    List<Cell> sorted =
        counted().stream()
            .sorted(Comparator.comparingDouble(each -> each.counts().goodputPerSecond()))
            .toList();
    return sorted.get((sorted.size() - 1) / 2);
  }
}
