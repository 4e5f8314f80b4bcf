package dev.partita.lab.report;

import dev.partita.lab.contender.Card;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Setup;
import dev.partita.lab.result.Spread;
import dev.partita.lab.result.Times;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A run as a Markdown table, followed by a line that says where it comes from. The experiment
 * {@code hot} has a table of its own, a row for each number of callers; others have a row for each
 * arm. Figures of an invalid run are left out. Safe for use by many threads.
 */
public final class ReadmeTable {

  private static final String HOT = "hot";
  private static final String PARTITA = "partita";
  private static final String NAIVE = "naive";
  private static final String ONE_STATEMENT = "one-statement";
  private static final String CEILING = "ceiling";

  /** Callers at whose number contenders are shown side by side. */
  private static final int BESIDE = 64;

  private final Run run;
  private final List<Arm> arms;

  private ReadmeTable(Run run) {
    this.run = run;
    this.arms = Arm.of(run);
  }

  /** The table and its line, ended by a line feed. */
  public static String of(Run run) {
    ReadmeTable table = new ReadmeTable(run);
    boolean hot = run.about().experiment().equals(HOT);
    return (hot ? table.hot() : table.everyArm()) + table.findings() + "\n" + Origin.of(run) + "\n";
  }

  /** What was expected and what was seen, a line each; nothing of a run that cannot be used. */
  private String findings() {
    StringBuilder lines = new StringBuilder();
    for (Finding each : run.verdict().usable() ? run.findings() : List.<Finding>of()) {
      lines
          .append(lines.isEmpty() ? "\n" : "")
          .append("- ")
          .append(each.outcome().name().charAt(0))
          .append(each.outcome().name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' '))
          .append(": ")
          .append(MarkdownTable.text(each.what()))
          .append(": ")
          .append(MarkdownTable.text(each.observed()))
          .append(" (")
          .append(MarkdownTable.text(each.expected()))
          .append(")\n");
    }
    return lines.toString();
  }

  /**
   * Another table of the same run: what each series is, what it leaves out, and its goodput with 64
   * callers, or with as many as it had where it never had 64; of {@code hot}, only series that are
   * not in the other table. Every line is ended by a line feed.
   */
  public static String beside(Run run) {
    return new ReadmeTable(run).contenders().toString();
  }

  private MarkdownTable hot() {
    boolean ceiling = arms.stream().anyMatch(each -> each.name().startsWith(CEILING + "@"));
    MarkdownTable table = new MarkdownTable();
    table
        .numbers("callers")
        .numbers("Partita, transfers/s")
        .numbers("naive")
        .numbers("one statement");
    table.numbers("Partita ÷ naive").numbers("Partita ÷ one statement");
    if (ceiling) {
      table.numbers("of the ceiling");
    }
    table.numbers("median time, Partita (naive)");
    List<Double> callers =
        arms.stream().flatMap(each -> each.x().stream()).distinct().sorted().toList();
    for (double each : callers) {
      String at = "@" + Numbers.plain(each).replace(",", "");
      List<String> cells = new ArrayList<>();
      cells.add(Numbers.plain(each));
      cells.add(bold(goodput(PARTITA + at)));
      cells.add(goodput(NAIVE + at));
      cells.add(goodput(ONE_STATEMENT + at));
      cells.add(times(ratio(PARTITA + at, NAIVE + at)));
      cells.add(times(ratio(PARTITA + at, ONE_STATEMENT + at)));
      if (ceiling) {
        cells.add(
            ratio(PARTITA + at, CEILING + at)
                .map(share -> Numbers.fixed(100 * share, 0) + " %")
                .orElse(Numbers.NONE));
      }
      String naive = usable(NAIVE + at).isEmpty() ? "" : " (" + median(NAIVE + at) + ")";
      cells.add(median(PARTITA + at) + naive);
      table.row(cells);
    }
    return table;
  }

  private MarkdownTable everyArm() {
    MarkdownTable table = new MarkdownTable();
    table.words("arm").numbers("goodput/s").numbers("least–most").numbers("p50").numbers("p99");
    for (Arm arm : arms) {
      Optional<Arm> known = usable(arm.name());
      table.row(
          List.of(
              MarkdownTable.text(arm.name()),
              goodput(arm.name()),
              known.map(each -> range(each.goodput())).orElse(Numbers.NONE),
              median(arm.name()),
              known
                  .map(each -> TimeScale.words(each.micros(Latencies::response, Times::p99)))
                  .orElse(Numbers.NONE)));
    }
    return table;
  }

  private MarkdownTable contenders() {
    MarkdownTable table = new MarkdownTable();
    table.words("contender").words("what it does").words("what it lacks").numbers("transfers/s");
    Map<String, List<Arm>> bySeries = new LinkedHashMap<>();
    for (Arm each : arms) {
      String series = each.setup().series();
      if (each.setup().emulation().isEmpty() && !inMainTable(series)) {
        bySeries.computeIfAbsent(series, name -> new ArrayList<>()).add(each);
      }
    }
    for (List<Arm> series : bySeries.values()) {
      Arm arm = atBest(series);
      Card card = card(arm.setup().contender());
      table.row(
          List.of(
              MarkdownTable.text(arm.setup().series() + circumstances(arm.setup())),
              // Cards go on to explain; the first part says what it is.
              MarkdownTable.text(card.what().split(";", 2)[0]),
              card.lacks().isEmpty() ? Numbers.NONE : MarkdownTable.text(card.lacks()),
              goodput(arm.name())));
    }
    return table;
  }

  private boolean inMainTable(String series) {
    return run.about().experiment().equals(HOT)
        && List.of(PARTITA, NAIVE, ONE_STATEMENT, CEILING).contains(series);
  }

  private Card card(String contender) {
    return run.cards().stream()
        .filter(each -> each.name().equals(contender))
        .findFirst()
        .orElseGet(() -> new Card(contender, Numbers.NONE, "", List.of(), 1, "", "", 1));
  }

  /** With as many callers as the table is about, or as near to it as the series comes. */
  private static Arm atBest(List<Arm> series) {
    return series.stream()
        .min(
            Comparator.<Arm>comparingInt(each -> Math.abs(each.setup().callers() - BESIDE))
                .thenComparingDouble(each -> -each.x().orElse(0.0)))
        .orElseThrow();
  }

  /** How an arm differs from one transfer each from 64 callers. */
  private static String circumstances(Setup setup) {
    List<String> words = new ArrayList<>();
    if (setup.callers() != BESIDE) {
      words.add(Numbers.count(setup.callers()) + (setup.callers() == 1 ? " caller" : " callers"));
    }
    if (setup.batch() > 1 && !setup.series().contains(Numbers.count(setup.batch()))) {
      words.add(Numbers.count(setup.batch()) + " transfers at once");
    }
    return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
  }

  private Optional<Arm> usable(String name) {
    return arms.stream()
        .filter(each -> run.verdict().usable() && each.usable() && each.name().equals(name))
        .findFirst();
  }

  private String goodput(String arm) {
    return usable(arm).map(each -> Numbers.figure(each.goodput().median())).orElse(Numbers.NONE);
  }

  private static String range(Spread spread) {
    return Numbers.figure(spread.min()) + "–" + Numbers.figure(spread.max());
  }

  private String median(String arm) {
    return usable(arm)
        .map(each -> TimeScale.words(each.micros(Latencies::response, Times::p50)))
        .orElse(Numbers.NONE);
  }

  /** As the run has it; if it does not compare these two, the median over common blocks. */
  private Optional<Double> ratio(String arm, String against) {
    Optional<Double> stated =
        run.ratios().stream()
            .filter(each -> each.arm().equals(arm) && each.against().equals(against))
            .map(Ratio::median)
            .findFirst();
    if (usable(arm).isEmpty() || usable(against).isEmpty()) {
      return Optional.empty();
    }
    return stated.isPresent() ? stated : paired(usable(arm).get(), usable(against).get());
  }

  private static Optional<Double> paired(Arm arm, Arm against) {
    List<Double> ratios = new ArrayList<>();
    for (Cell each : arm.counted()) {
      against.counted().stream()
          .filter(other -> other.block() == each.block())
          .map(other -> each.counts().goodputPerSecond() / other.counts().goodputPerSecond())
          .forEach(ratios::add);
    }
    double median = Spread.of(ratios).median();
    return Double.isFinite(median) ? Optional.of(median) : Optional.empty();
  }

  private static String times(Optional<Double> ratio) {
    return ratio.map(each -> Numbers.fixed(each, 1) + " ×").orElse(Numbers.NONE);
  }

  private static String bold(String text) {
    return text.equals(Numbers.NONE) ? text : "**" + text + "**";
  }
}
