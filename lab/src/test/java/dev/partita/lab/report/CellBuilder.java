package dev.partita.lab.report;

import dev.partita.lab.load.Outcome;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Counts;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Times;
import dev.partita.lab.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A cell as a run on a small machine would leave it; every figure follows from a few. */
final class CellBuilder {

  private static final int SECONDS = 20;

  private final String contender;
  private final int callers;
  private @Nullable Double x;
  private String arm;
  private int block = 1;
  private double goodput = 1_000;
  private @Nullable Double ratePerSecond;
  private String emulation = "";
  private double responseMicros = 1_000;
  private double serviceMicros = 1_000;
  private final Map<Outcome, Long> failures = new TreeMap<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<GateResult> gates = new ArrayList<>();
  private final List<CheckResult> checks = new ArrayList<>();
  private Verdict verdict = Verdict.VALID;

  CellBuilder(String contender, int callers) {
    this.contender = contender;
    this.callers = callers;
    this.arm = contender + "@" + callers;
    this.x = (double) callers;
  }

  CellBuilder named(String name) {
    arm = name;
    return this;
  }

  CellBuilder at(@Nullable Double place) {
    x = place;
    return this;
  }

  CellBuilder block(int number) {
    block = number;
    return this;
  }

  CellBuilder goodput(double perSecond) {
    goodput = perSecond;
    return this;
  }

  CellBuilder offered(double perSecond) {
    ratePerSecond = perSecond;
    return this;
  }

  CellBuilder emulated(String what) {
    emulation = what;
    return this;
  }

  CellBuilder times(double medianResponseMicros, double medianServiceMicros) {
    responseMicros = medianResponseMicros;
    serviceMicros = medianServiceMicros;
    return this;
  }

  CellBuilder failing(Outcome outcome, long count) {
    failures.put(outcome, count);
    return this;
  }

  CellBuilder figure(Figure figure) {
    figures.add(figure);
    return this;
  }

  CellBuilder gate(GateResult gate) {
    gates.add(gate);
    verdict = gate.held() ? verdict : verdict.and(gate.effect());
    return this;
  }

  CellBuilder check(CheckResult check) {
    checks.add(check);
    return this;
  }

  Cell build(int place) {
    long committed = Math.round(goodput * SECONDS);
    Map<String, Long> outcomes = new TreeMap<>();
    outcomes.put(Outcome.COMMITTED.name(), committed);
    failures.forEach((outcome, count) -> outcomes.put(outcome.name(), count));
    long offered = outcomes.values().stream().mapToLong(each -> each).sum();
    Counts counts =
        new Counts(
            offered,
            offered - failures.getOrDefault(Outcome.DROPPED, 0L),
            outcomes,
            committed,
            failures.getOrDefault(Outcome.REJECTED, 0L),
            failures.getOrDefault(Outcome.REPLAYED, 0L),
            goodput,
            offered / (double) SECONDS,
            List.of());
    return new Cell(
        arm,
        block,
        place,
        setup(),
        counts,
        latencies(),
        seconds(),
        figures,
        checks,
        gates,
        verdict);
  }

  private Setup setup() {
    return new Setup(
        contender,
        contender,
        x,
        "hot: the fee account is on one side of every transfer",
        ratePerSecond == null
            ? "closed: every caller asks again as soon as it is answered"
            : "open: Poisson arrivals, at most 4,096 under way",
        callers,
        Math.min(callers, 64),
        1,
        ratePerSecond,
        emulation,
        5,
        SECONDS,
        1847L + block);
  }

  private Latencies latencies() {
    long count = Math.round(goodput * SECONDS);
    Map<String, Times> byOutcome = new TreeMap<>();
    Times response = times(responseMicros, count);
    byOutcome.put(Outcome.COMMITTED.name(), response);
    failures.forEach(
        (outcome, failed) -> {
          if (outcome != Outcome.DROPPED) {
            byOutcome.put(outcome.name(), times(1_000_000, failed));
          }
        });
    return new Latencies(
        response,
        byOutcome,
        times(40, count),
        times(Math.max(2, responseMicros - serviceMicros), count),
        times(serviceMicros, count));
  }

  /** A long-tailed distribution about a median, made of its quantiles. */
  private static Times times(double medianMicros, long count) {
    Histogram histogram = new Histogram(3);
    long points = Math.min(count, 4_000);
    for (long i = 0; i < points; i++) {
      double part = (i + 0.5) / points;
      double tail = Math.pow(1 / (1 - part) - 1, 0.22);
      histogram.recordValueWithCount(
          Math.max(1, Math.round(medianMicros * tail)), Math.max(1, count / points));
    }
    return Times.of(histogram);
  }

  /** A dip in the middle, as a checkpoint makes it. */
  private List<Long> seconds() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < SECONDS; i++) {
      double wave = 1 + 0.03 * Math.sin(i * 1.7 + block) - (i == 11 + block % 2 ? 0.28 : 0);
      seconds.add(Math.round(goodput * wave));
    }
    return seconds;
  }
}
