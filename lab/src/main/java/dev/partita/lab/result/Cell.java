package dev.partita.lab.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One arm in one block of an experiment: tables made, loaded, measured, reconciled.
 *
 * @param arm name of the arm, the same in every block
 * @param block from 1
 * @param place when in the run it had its turn, from 1
 * @param setup what it was meant to do
 * @param counts what it did
 * @param latencies how long that took
 * @param committedBySecond transfers made, by the second of their intended start
 * @param figures what was measured besides
 * @param checks the reconciliation; empty if it was not run
 * @param gates what the figures have to pass
 * @param verdict what they are worth
 */
public record Cell(
    String arm,
    int block,
    int place,
    Setup setup,
    Counts counts,
    Latencies latencies,
    List<Long> committedBySecond,
    List<Figure> figures,
    List<CheckResult> checks,
    List<GateResult> gates,
    Verdict verdict) {

  /** Takes copies. */
  public Cell {
    committedBySecond = List.copyOf(committedBySecond);
    figures = List.copyOf(figures);
    checks = List.copyOf(checks);
    gates = List.copyOf(gates);
  }

  /** With more figures. */
  public Cell with(List<Figure> more) {
    List<Figure> all = new ArrayList<>(figures);
    all.addAll(more);
    return new Cell(
        arm,
        block,
        place,
        setup,
        counts,
        latencies,
        committedBySecond,
        all,
        checks,
        gates,
        verdict);
  }

  /** A figure by its key, if it was measured. */
  public Optional<Double> figure(String key) {
    return figures.stream()
        .filter(each -> each.key().equals(key))
        .map(Figure::value)
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** The gates that did not hold. */
  public List<GateResult> failedGates() {
    return gates.stream().filter(each -> !each.held()).toList();
  }
}
