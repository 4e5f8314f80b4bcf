package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.GateResult;
import dev.partita.lab.result.Latencies;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Spread;
import dev.partita.lab.result.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run in at most {@value #LINES_MAX} lines of plain text, for a terminal. Arms stand as the
 * experiment declares them; what does not fit is counted and left to the page. Safe for use by many
 * threads.
 */
public final class TextReport {

  /** Lines of a report at most. */
  public static final int LINES_MAX = 25;

  /** Columns that suit an ordinary terminal. */
  public static final int COLUMNS = 100;

  private static final int COLUMNS_LEAST = 60;
  private static final int RATIOS_MAX = 4;
  private static final int FINDINGS_MAX = 4;
  private static final int FAILURES_MAX = 3;
  private static final int SUMMARY_LINES_MAX = 3;

  private final int columns;
  private final List<String> lines = new ArrayList<>();

  private TextReport(int columns) {
    this.columns = Math.max(columns, COLUMNS_LEAST);
  }

  /**
   * The text, every line ended by a line feed.
   *
   * @param where the page and the result file are, in words
   * @param columns of the terminal; fewer than 60 count as 60
   */
  public static String of(Run run, String where, int columns) {
    TextReport report = new TextReport(columns);
    report.write(run, where);
    return String.join("\n", report.lines) + "\n";
  }

  private void write(Run run, String where) {
    String worth = run.verdict().usable() ? "" : " (no figure may be used)";
    add(run.verdict() + "  " + run.about().experiment() + ": " + run.about().title() + worth);
    wrapped(run.summary()).stream().limit(SUMMARY_LINES_MAX).forEach(this::add);
    List<String> failures = failures(run);
    List<String> ratios = limited(RatioLines.of(run), RATIOS_MAX, "ratios");
    List<String> findings = findings(run.findings());
    int others = failures.size() + ratios.size() + findings.size() + 1;
    arms(Arm.of(run), LINES_MAX - lines.size() - others);
    ratios.forEach(this::add);
    findings.forEach(this::add);
    failures.forEach(this::add);
    add("Report: " + where);
  }

  private void arms(List<Arm> arms, int room) {
    if (arms.isEmpty()) {
      return;
    }
    boolean closed = arms.stream().noneMatch(Arm::openLoop);
    String name = closed ? "arm (closed loop: no latency claim)" : "arm";
    int width =
        Math.max(
            name.length(), arms.stream().mapToInt(each -> each.name().length()).max().orElse(0));
    width = Math.min(width, columns - 47);
    add(row(width, name, "goodput/s", "least–most", "p50", "p99"));
    List<Arm> shown =
        arms.size() <= room - 1 ? arms : arms.subList(0, Math.clamp(room - 2, 1, arms.size()));
    for (Arm each : shown) {
      Spread goodput = each.goodput();
      add(
          row(
              width,
              each.name(),
              each.usable() ? Numbers.figure(goodput.median()) : "not usable",
              Numbers.figure(goodput.min()) + "–" + Numbers.figure(goodput.max()),
              TimeScale.words(each.micros(Latencies::response, Times::p50)),
              TimeScale.words(each.micros(Latencies::response, Times::p99))));
    }
    if (shown.size() < arms.size()) {
      add("  and " + (arms.size() - shown.size()) + " more arms in the report");
    }
  }

  private static String row(
      int width, String arm, String goodput, String range, String p50, String p99) {
    return "  %s%11s%16s%9s%9s".formatted(padded(arm, width), goodput, range, p50, p99);
  }

  private static String padded(String text, int width) {
    String cut = text.length() > width ? text.substring(0, width - 1) + "…" : text;
    return cut + " ".repeat(width - cut.length());
  }

  private static List<String> findings(List<Finding> findings) {
    List<String> written = new ArrayList<>();
    for (Finding each : findings) {
      written.add(Opening.words(each.outcome()) + ": " + each.observed() + " – " + each.what());
    }
    return limited(written, FINDINGS_MAX, "findings");
  }

  private static List<String> failures(Run run) {
    Map<String, String> written = new LinkedHashMap<>();
    for (Cell cell : run.cells()) {
      for (GateResult each : cell.failedGates()) {
        String line =
            "%s failed: %s: %s, threshold %s (%s block %d)"
                .formatted(
                    each.id(),
                    each.what(),
                    each.observed(),
                    each.threshold(),
                    cell.arm(),
                    cell.block());
        written.putIfAbsent(each.id(), line);
      }
    }
    return limited(List.copyOf(written.values()), FAILURES_MAX, "failed gates");
  }

  private static List<String> limited(List<String> written, int most, String what) {
    if (written.size() <= most) {
      return written;
    }
    List<String> kept = new ArrayList<>(written.subList(0, most - 1));
    kept.add("and " + (written.size() - most + 1) + " more " + what + " in the report");
    return kept;
  }

  /** Adds a line, cut where the terminal ends. */
  private void add(String line) {
    String clean = line.replaceAll("\\p{Cntrl}", " ");
    lines.add(clean.length() > columns ? clean.substring(0, columns - 1) + "…" : clean);
  }

  private List<String> wrapped(String text) {
    List<String> written = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        written.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    written.add(line.toString());
    return written;
  }
}
