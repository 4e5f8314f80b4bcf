package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Ratio;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FactsTest {

  @Test
  void saysOnceWhatArmsShareAndHowTheyDiffer() {
    assertThat(Variants.of(List.of("closed, 4 callers", "closed, 64 callers", "closed, 4 callers")))
        .isEqualTo(new Variants("closed", List.of("4 callers", "64 callers"), false));
    assertThat(Variants.of(List.of("1,000 accounts", "1,000 accounts, 7 at once", "")))
        .isEqualTo(new Variants("1,000 accounts", List.of("7 at once"), true));
    assertThat(Variants.of(List.of("hot", "cold")))
        .isEqualTo(new Variants("", List.of("hot", "cold"), false));
    assertThat(Variants.of(List.of("hot", "hot"))).isEqualTo(new Variants("hot", List.of(), false));
    assertThat(Variants.of(List.of())).isEqualTo(new Variants("", List.of(), false));
  }

  @Test
  void showsAFewVariantsAndTheOthersOnRequest() {
    List<String> loops = new ArrayList<>();
    for (int callers = 1; callers <= 9; callers++) {
      loops.add("closed, " + callers + " callers");
    }
    assertThat(Variants.of(loops).markup().toString())
        .startsWith("closed: 1 callers; 2 callers; 3 callers; 4 callers<details>")
        .contains("<summary>and 5 more</summary>5 callers; ");
  }

  @Test
  void notesThatDifferOnlyInNumbersAreOne() {
    List<Arm> arms = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      Cell cell =
          new CellBuilder("c" + i, 1)
              .figure(new Figure("a", "a", 1.0 * i, "", i * 10 + " samples of 1.5 s, 1,000 each"))
              .figure(Figure.of("same", "same", 7, "rows"))
              .build(1);
      arms.add(new Arm(cell.arm(), List.of(cell)));
    }
    assertThat(FigureTables.of(arms).toString())
        .containsOnlyOnce("10 to 30 samples of 1.5 s, 1,000 each")
        .contains("The same in every arm: same 7 rows.")
        .doesNotContain("note-2");
  }

  @Test
  void partsOfFiguresStandRightBehindThem() {
    Cell whole = cell("naive", Figure.of("x", "whole", 5, ""), Figure.of("y", "last", 1, ""));
    Cell parts = cell("other", Figure.of("x", "whole", 6, ""), Figure.of("x.part", "part", 2, ""));
    String html =
        FigureTables.of(List.of(new Arm("naive", List.of(whole)), new Arm("other", List.of(parts))))
            .toString();
    assertThat(html.indexOf(">part<")).isBetween(html.indexOf(">whole<"), html.indexOf(">last<"));
    assertThat(html).as("a figure that an arm does not have").contains(">–<");
  }

  @Test
  void waitsOfAnArmMakeUpOneBar() {
    Cell first = cell("naive", wait("Lock:tuple", 60), wait("running", 40));
    Cell second = cell("naive", wait("Lock:tuple", 20), wait("IO:WalSync", 80));
    Arm arm = new Arm("naive", List.of(first, second));
    assertThat(Waits.bars(List.of(arm)).toString())
        .containsSubsequence(
            "class=\"running n1\" style=\"width:20.00%\"",
            "class=\"lock n1\" style=\"width:40.00%\"", "class=\"io n1\" style=\"width:40.00%\"")
        .doesNotContain("other");
  }

  @Test
  void waitsTooManyToTellApartAreOthers() {
    List<Figure> waits = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      waits.add(wait("LWLock:" + (char) ('A' + i), 12 - i));
    }
    Arm arm = new Arm("naive", List.of(cell("naive", waits.toArray(Figure[]::new))));
    String html = Waits.bars(List.of(arm)).toString();
    assertThat(html).contains("LWLock:H 6 %", "other 13 %").doesNotContain("LWLock:I");
    assertThat(Waits.bars(List.of()).isEmpty()).isTrue();
  }

  @Test
  void knowsWhetherAWantedFigureWasReached() {
    assertThat(Wanted.of(ratio("at least 1.2"))).contains(new Wanted(1.2, false));
    assertThat(Wanted.of(ratio("≤ 70 %"))).contains(new Wanted(0.7, true));
    assertThat(Wanted.of(ratio(""))).isEmpty();
    assertThat(new Wanted(1.2, false).reached(1.2)).isTrue();
    assertThat(new Wanted(1.2, false).reached(1.1)).isFalse();
    assertThat(new Wanted(0.067, true).reached(0.1)).isFalse();
    assertThat(new Wanted(0.067, true).reached(0.05)).isTrue();
  }

  private static Ratio ratio(String wanted) {
    return new Ratio("a", "b", "c", List.of(1.0), 1, wanted);
  }

  private static Figure wait(String event, double percent) {
    return Figure.of("wait." + event, event, percent, "%");
  }

  private static Cell cell(String contender, Figure... figures) {
    CellBuilder cell = new CellBuilder(contender, 64);
    for (Figure each : figures) {
      cell.figure(each);
    }
    return cell.build(1);
  }
}
