package dev.partita.lab.experiment;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The usable cells of a run, by arm and block. Immutable. */
public final class Results {

  private final List<Cell> cells;

  /** Of these cells; those that may not be used are left out. */
  public Results(Collection<Cell> cells) {
    this.cells = cells.stream().filter(each -> each.verdict().usable()).toList();
  }

  /** Whether an arm has figures. */
  public boolean has(String arm) {
    return cells.stream().anyMatch(each -> each.arm().equals(arm));
  }

  /** The cells of an arm, in the order of their blocks. */
  public List<Cell> of(String arm) {
    return cells.stream()
        .filter(each -> each.arm().equals(arm))
        .sorted((a, b) -> Integer.compare(a.block(), b.block()))
        .toList();
  }

  /** The median over blocks of something about an arm; not a number if it has no figures. */
  public double median(String arm, ToDoubleFunction<Cell> what) {
    return Spread.of(of(arm).stream().map(what::applyAsDouble).toList()).median();
  }

  /** Transfers made a second, the median over blocks. */
  public double goodput(String arm) {
    return median(arm, each -> each.counts().goodputPerSecond());
  }

  /** Half of the answers of an arm took no longer than this, the median over blocks. */
  public double p50Micros(String arm) {
    return median(arm, each -> each.latencies().response().p50());
  }

  /** A figure measured beside the load, the median over blocks; not a number if not measured. */
  public double figure(String arm, String key) {
    return Spread.of(
            of(arm).stream().map(each -> each.figure(key)).flatMap(Optional::stream).toList())
        .median();
  }

  /**
   * Goodput of one arm by another's, each with its neighbour of the same block.
   *
   * @param wanted a figure to reach, in words; may be empty
   */
  public Ratio ratio(String name, String arm, String against, String wanted) {
    return ratio(name, arm, against, wanted, each -> each.counts().goodputPerSecond());
  }

  /** The same of something else. */
  public Ratio ratio(
      String name, String arm, String against, String wanted, ToDoubleFunction<Cell> what) {
    List<Double> perBlock = new ArrayList<>();
    for (Cell each : of(arm)) {
      of(against).stream()
          .filter(other -> other.block() == each.block())
          .findFirst()
          .map(other -> what.applyAsDouble(each) / what.applyAsDouble(other))
          .filter(Double::isFinite)
          .ifPresent(perBlock::add);
    }
    return new Ratio(name, arm, against, perBlock, Spread.of(perBlock).median(), wanted);
  }
}
