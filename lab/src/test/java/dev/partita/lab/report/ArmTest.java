package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArmTest {

  @Test
  void armsStandAsTheyWereDeclaredHoweverTheyRan() {
    Run run = Runs.hot();
    List<Cell> shuffled = new ArrayList<>(run.cells());
    Collections.shuffle(shuffled, new Random(4));
    List<String> declared = run.about().arms();
    Run other = Runs.with(shuffled, declared, run);
    assertThat(Arm.of(other)).extracting(Arm::name).containsExactlyElementsOf(declared);
    assertThat(Arm.of(other)).isEqualTo(Arm.of(run));
  }

  @Test
  void armsThatWereNotDeclaredComeLastAsTheyRan() {
    Run run = Runs.open();
    Run other =
        Runs.with(run.cells(), List.of("one-statement at 500", "never ran", "partita at 500"), run);
    assertThat(Arm.of(other).subList(0, 4))
        .extracting(Arm::name)
        .containsExactly(
            "one-statement at 500", "partita at 500", "partita at 1000", "one-statement at 1000");
  }

  @Test
  void partitaLooksTheSameAndLinesComeBeforeSinglePoints() {
    List<Arm> arms = new ArrayList<>(Arm.of(Runs.hot()));
    Cell alone = new CellBuilder("function", 64).build(1);
    arms.addFirst(new Arm("function@64", List.of(alone)));
    Styles styles = new Styles(arms);
    assertThat(
            List.of("partita", "naive", "one-statement", "ceiling", "function").stream()
                .map(styles::number))
        .containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void noTwoOfTwelveSeriesLookTheSame() {
    List<Arm> arms = new ArrayList<>();
    for (int i = 0; i < Styles.STYLES; i++) {
      Cell cell = new CellBuilder("contender-" + i, 64).build(1);
      arms.add(new Arm(cell.arm(), List.of(cell)));
    }
    Styles styles = new Styles(arms);
    assertThat(arms.stream().map(styles::of)).doesNotHaveDuplicates();
    assertThat(arms.stream().map(styles::number).map(n -> Markers.path(n) + Markers.hollow(n)))
        .doesNotHaveDuplicates();
    String sheet = Template.resource("report.css");
    assertThat(arms).allMatch(each -> sheet.contains("." + styles.of(each) + " { --c:"));
  }
}
