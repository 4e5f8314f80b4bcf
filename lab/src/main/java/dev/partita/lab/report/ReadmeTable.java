package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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

  private final Run run;
  private final List<Arm> arms;
  private final StringBuilder out = new StringBuilder();

  /** The line below the heads, which says how columns are aligned. */
  private final StringBuilder rule = new StringBuilder();

  private ReadmeTable(Run run) {
    this.run = run;
    this.arms = Arm.of(run);
  }

  /** The table and its line, ended by a line feed. */
  public static String of(Run run) {
    ReadmeTable table = new ReadmeTable(run);
    if (run.about().experiment().equals(HOT)) {
      table.hot();
    } else {
      table.everyArm();
    }
    table.source();
    return table.out.toString();
  }

  private void hot() {
    boolean ceiling = arms.stream().anyMatch(each -> each.name().startsWith(CEILING + "@"));
    head("callers", "naive", "one statement", "Partita", "against naive", "against one statement");
    if (ceiling) {
      head("share of the ceiling");
    }
    head("median time, naive", "median time, Partita");
    endHead();
    List<Double> callers =
        arms.stream().flatMap(each -> each.x().stream()).distinct().sorted().toList();
    for (double each : callers) {
      String at = "@" + Numbers.plain(each).replace(",", "");
      List<String> cells = new ArrayList<>();
      cells.add(Numbers.plain(each));
      cells.add(goodput(NAIVE + at));
      cells.add(goodput(ONE_STATEMENT + at));
      cells.add(bold(goodput(PARTITA + at)));
      cells.add(ratio(PARTITA + at, NAIVE + at).map(Numbers::ratio).orElse(Numbers.NONE));
      cells.add(ratio(PARTITA + at, ONE_STATEMENT + at).map(Numbers::ratio).orElse(Numbers.NONE));
      if (ceiling) {
        cells.add(
            ratio(PARTITA + at, CEILING + at)
                .map(share -> Numbers.fixed(100 * share, 0) + " %")
                .orElse(Numbers.NONE));
      }
      cells.add(median(NAIVE + at));
      cells.add(median(PARTITA + at));
      row(cells);
    }
  }

  private void everyArm() {
    head("!arm", "goodput/s", "least–most", "p50", "p99");
    endHead();
    for (Arm arm : arms) {
      Spread goodput = arm.goodput();
      List<String> cells = new ArrayList<>();
      cells.add(text(arm.name()));
      cells.add(goodput(arm.name()));
      cells.add(
          arm.usable()
              ? Numbers.figure(goodput.min()) + "–" + Numbers.figure(goodput.max())
              : Numbers.NONE);
      cells.add(median(arm.name()));
      cells.add(
          arm.usable()
              ? TimeScale.words(arm.micros(Latencies::response, Times::p99))
              : Numbers.NONE);
      row(cells);
    }
  }

  /** Says how to check the table. */
  private void source() {
    String machine =
        run.place().host().values().stream()
            .map(ReadmeTable::text)
            .collect(Collectors.joining(", "));
    out.append('\n')
        .append(run.verdict())
        .append(": `")
        .append(run.about().command().replace("`", "'").replaceAll("\\s+", " "))
        .append("`, ")
        .append(text(day(run.about().started())))
        .append(", Partita ")
        .append(text(run.about().version()));
    if (!machine.isEmpty()) {
      out.append(", on ").append(machine);
    }
    out.append(".");
    if (!arms.isEmpty() && arms.stream().noneMatch(Arm::openLoop)) {
      out.append(" Closed loop: callers wait for their answers, so times are no claim of latency.");
    }
    run.place().warnings().forEach(each -> out.append(' ').append(text(sentence(each))));
    out.append('\n');
  }

  private static String day(String started) {
    int time = started.indexOf('T');
    return time < 0 ? started : started.substring(0, time);
  }

  private static String sentence(String words) {
    return words.endsWith(".") ? words : words + ".";
  }

  private Optional<Arm> usable(String name) {
    return arms.stream().filter(each -> each.name().equals(name)).filter(Arm::usable).findFirst();
  }

  private String goodput(String arm) {
    return usable(arm).map(each -> Numbers.figure(each.goodput().median())).orElse(Numbers.NONE);
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

  /**
   * Names of further columns: of numbers, or of words where they begin with an exclamation mark.
   */
  private void head(String... names) {
    for (String each : names) {
      out.append(rule.isEmpty() ? "| " : " | ").append(each.replace("!", ""));
      rule.append(each.startsWith("!") ? "|---" : "|---:");
    }
  }

  private void endHead() {
    out.append(" |\n").append(rule).append("|\n");
  }

  private void row(List<String> cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String bold(String text) {
    return text.equals(Numbers.NONE) ? text : "**" + text + "**";
  }

  /** Text that Markdown takes as text, on one line and in one cell of a table. */
  private static String text(String text) {
    return Arrays.stream(text.strip().split("\\s+", -1))
        .collect(Collectors.joining(" "))
        .replaceAll("([\\\\`*_|<>\\[\\]])", "\\\\$1");
  }
}
