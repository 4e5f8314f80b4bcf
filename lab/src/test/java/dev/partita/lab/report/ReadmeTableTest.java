package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import org.junit.jupiter.api.Test;

class ReadmeTableTest {

  @Test
  void hasARowForEachNumberOfCallers() {
    assertThat(ReadmeTable.of(Runs.hot()).lines().limit(8))
        .containsExactly(
            "| callers | Partita, transfers/s | naive | one statement | Partita ÷ naive"
                + " | Partita ÷ one statement | of the ceiling | median time, Partita (naive) |",
            "|---:|---:|---:|---:|---:|---:|---:|---:|",
            "| 1 | **1,448** | 1,147 | 2,146 | 1.3 × | 0.7 × | 84 % | 691 µs (872 µs) |",
            "| 4 | **4,135** | 1,139 | 2,133 | 3.6 × | 1.9 × | 84 % | 967 µs (3.51 ms) |",
            "| 16 | **11,660** | 1,106 | 2,083 | 10.5 × | 5.6 × | 84 % | 1.37 ms (14.5 ms) |",
            "| 64 | **31,338** | 991 | 1,906 | 31.6 × | 16.4 × | 84 % | 2.04 ms (64.6 ms) |",
            "| 1,000 | **113,767** | – | – | – | – | 78 % | 8.79 ms |",
            "| 4,000 | **121,307** | – | – | – | – | 59 % | 33.0 ms |");
  }

  @Test
  void leavesOutFiguresOfAnInvalidRun() {
    assertThat(ReadmeTable.of(Runs.invalid()))
        .contains("\n| 64 | – | – | – | – | – | – |\n", "\nINVALID: ")
        .doesNotContain("23,280");
  }

  @Test
  void saysWhatContendersBesideAreAndLack() {
    assertThat(ReadmeTable.beside(Runs.emulated()))
        .startsWith(
            """
            | contender | what it does | what it lacks | transfers/s |
            |---|---|---|---:|
            | naive | BEGIN, two UPDATEs""")
        .contains(
            "\n| partita | the ledger itself: callers hand in requests, ", " | – | 39,001 |\n")
        .doesNotContain("slow commit");
    assertThat(ReadmeTable.beside(Runs.hot()).lines()).as("all are in the other table").hasSize(2);
  }

  @Test
  void saysWhereItComesFrom() {
    assertThat(ReadmeTable.of(Runs.hot()))
        .endsWith(
            "\nVALID: `partita lab run hot --profile quick --seed 1847 --database embedded`,"
                + " 2026-12-01, Partita 0.1.0, on 2 cores of an Intel Xeon at 2.9 GHz, 8 GiB,"
                + " Linux 6.8, Java 25.0.1, fsync on, synchronous\\_commit on. Medians of 3 blocks; a"
                + " ratio is the median of the blocks' own ratios. Closed loop: callers wait for"
                + " their answers, so times are no claim of latency. The load and the database"
                + " shared 2 cores: both would be faster alone.\n");
  }

  @Test
  void hasARowForEachArmOfOtherExperiments() {
    assertThat(ReadmeTable.of(Runs.emulated()))
        .startsWith("| arm | goodput/s | least–most | p50 | p99 |\n|---|---:|---:|---:|---:|\n")
        .contains("\n| entries only | 9,400 | 8,836–9,870 | 6.81 ms | 18.7 ms |\n")
        .contains("\nFLAGGED: ");
  }

  @Test
  void leavesNoTextThatMarkdownWouldTakeForSomethingElse() {
    String table = ReadmeTable.of(Runs.hostile("a|b\nc`<script>"));
    assertThat(table)
        .contains("| a\\|b c\\`\\<script\\> |")
        .contains("FLAGGED: `a|b c'<script>`, a\\|b c\\`\\<script\\>, Partita a\\|b");
    assertThat(table.lines()).as("table, its findings and where it comes from").hasSize(7);
  }

  @Test
  void replacesItsPartOfADocumentAndNothingElse() {
    String document =
        """
        # Title
        <!-- lab:begin hot -->
        old
        <!-- lab:end -->
        between
        <!-- lab:begin rate -->
        <!-- lab:end -->
        """;
    MarkdownSection hot = new MarkdownSection("hot");
    String once = hot.replacedIn(document, "new $1 \\\n");
    assertThat(once).isEqualTo(document.replace("\nold\n", "\n\nnew $1 \\\n\n"));
    assertThat(hot.replacedIn(once, "new $1 \\")).isEqualTo(once);
    assertThat(new MarkdownSection("rate").replacedIn(document, "x"))
        .endsWith("<!-- lab:begin rate -->\n\nx\n\n<!-- lab:end -->\n")
        .startsWith("# Title\n<!-- lab:begin hot -->\nold\n");
  }

  @Test
  void saysWhichMarksAreMissing() {
    misplaced("", "no place for hot");
    misplaced("<!-- lab:begin hot -->", "no end for hot");
    misplaced("<!-- lab:begin hot --><!-- lab:begin x --><!-- lab:end -->", "no end for hot");
    String part = "<!-- lab:begin hot --><!-- lab:end -->";
    misplaced(part + part, "two places for hot");
  }

  private static void misplaced(String document, String why) {
    assertThatThrownBy(() -> new MarkdownSection("hot").replacedIn(document, "x"))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining(why);
  }
}
