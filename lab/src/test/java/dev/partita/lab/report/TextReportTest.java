package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

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
  void countsWhatDoesNotFit() {
    assertThat(TextReport.of(Runs.hot(), "report.html", TextReport.COLUMNS))
        .contains("partita@4000", "and 8 more arms in the report", "and 6 more ratios")
        .doesNotContain("partita@1 ");
  }
}
