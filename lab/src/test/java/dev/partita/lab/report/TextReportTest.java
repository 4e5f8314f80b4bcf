package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextReportTest {

  @Test
  void fitsATerminal() {
    List<Run> runs =
        List.of(
            Runs.hot(), Runs.invalid(), Runs.emulated(), Runs.open(), Runs.hostile("\n\n\u001b"));
    for (Run run : runs) {
      for (int columns : new int[] {80, TextReport.COLUMNS}) {
        List<String> lines = TextReport.of(run, "report.html", columns).lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(TextReport.LINES_MAX);
        assertThat(lines).allMatch(each -> each.length() <= columns);
        assertThat(lines.getLast()).isEqualTo("Report: report.html");
      }
    }
  }

  @Test
  void saysWhatWasSeen() {
    assertThat(TextReport.of(Runs.emulated(), "report.html", TextReport.COLUMNS))
        .startsWith("FLAGGED  commit: What a slow commit costs\nA slower commit costs")
        .contains("  entries only                             9,400     8,836–9,870  6.81 ms")
        .contains("slow commit, 64 callers: 60.6× (58.3×–63.1×), wanted at least 40×\n");
  }

  @Test
  void saysWhatFailedAndThatNothingMayBeUsed() {
    assertThat(TextReport.of(Runs.invalid(), "report.html", TextReport.COLUMNS))
        .startsWith("INVALID  hot: One row hands out turns (no figure may be used)\n")
        .contains("G06 failed: client health: 93 % CPU, threshold ≤ 80 % CPU (naive@64 block 2)")
        .contains("G02 failed");
  }

  @Test
  void showsTheFirstArmsAndCountsWhatDoesNotFit() {
    assertThat(TextReport.of(Runs.hot(), "report.html", TextReport.COLUMNS))
        .contains("\n  naive@1 ", "and 8 more arms in the report", "and 6 more ratios")
        .doesNotContain("partita@4000");
  }

  @Test
  void putsRatiosOfWhichAFigureIsWantedFirst() {
    assertThat(RatioLines.of(Runs.hot()))
        .hasSize(9)
        .startsWith("against naive, 1 callers: 1.26× (1.21×–1.31×), wanted ≥ 1.2×")
        .endsWith("against one statement, 64 callers: 16.4× (15.8×–17.1×)");
  }

  @Test
  void putsRatiosOfTheSameSeriesOnOneLine() {
    Run hot = Runs.hot();
    List<Ratio> ratios =
        List.of(
            ratio("partita@1", "naive@1", 1.26, ""),
            ratio("partita@4", "naive@4", 3.6, "at least 1.5"),
            ratio("partita@64", "naive@64", 31.6, "at least 20"),
            ratio("partita@64", "ceiling@64", 0.84, "at least 0.7"));
    assertThat(RatioLines.of(Runs.with(ratios, hot)))
        .containsExactly(
            "partita / naive at 4, 64: 3.60×, 31.6×; wanted at least 1.5, 20",
            "partita@64 / ceiling@64: 0.84× (0.84×–0.84×), wanted at least 0.7",
            "partita@1 / naive@1: 1.26× (1.26×–1.26×)");
  }

  private static Ratio ratio(String arm, String against, double ratio, String wanted) {
    return new Ratio(arm + " / " + against, arm, against, List.of(ratio), ratio, wanted);
  }
}
