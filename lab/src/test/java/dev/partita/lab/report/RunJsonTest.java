package dev.partita.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.CheckResult;
import dev.partita.lab.result.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunJsonTest {

  @Test
  void readsWhatItWrote() {
    for (Run each : List.of(Runs.invalid(), Runs.open(), Runs.hostile("</script> \"\\ \u2028 é"))) {
      assertThat(RunJson.read(RunJson.write(each))).isEqualTo(each);
    }
  }

  @Test
  void writesTheSameTextEveryTime(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.json");
    RunJson.write(Runs.invalid(), file);
    assertThat(RunJson.write(RunJson.read(file))).isEqualTo(RunJson.write(Runs.invalid()));
    assertThat(file).content().isEqualTo(RunJson.write(Runs.invalid()));
  }

  @Test
  void writesFieldsInTheOrderOfTheRecords() {
    String json = RunJson.write(Runs.invalid());
    assertThat(json).startsWith("{\n  \"format\": 1,\n  \"about\": {\n    \"experiment\": \"hot\"");
    assertThat(json).endsWith("}\n");
    assertThat(json.indexOf("\"cells\"")).isLessThan(json.indexOf("\"findings\""));
    assertThat(json.indexOf("\"findings\"")).isLessThan(json.indexOf("\"summary\""));
  }

  @Test
  void saysOnceWhatAllCellsRepeat() {
    Run run = Runs.hot();
    String json = RunJson.write(run);
    assertThat(json.split("waiting for locks", -1)).hasSize(2);
    assertThat(json.lines().filter(each -> each.contains("\"R3\"")).count())
        .as("a line for each check, and one for all")
        .isEqualTo(run.cells().size() + 1L);
  }

  @Test
  void keepsWordsThatDifferFromCellToCell() {
    Cell one = new CellBuilder("a", 1).check(check("one")).check(check("one")).build(1);
    Cell other = new CellBuilder("b", 1).check(check("other")).build(2);
    Run run = Runs.with(List.of(one, other), List.of("b@1", "a@1"), Runs.open());
    assertThat(RunJson.read(RunJson.write(run))).isEqualTo(run);
  }

  private static CheckResult check(String what) {
    return new CheckResult("R1", what, 0, List.of(), "");
  }

  @Test
  void saysWhatToDoWithAFormatThatItDoesNotKnow() {
    String json =
        RunJson.write(Runs.hostile("plain")).replaceFirst("\"format\": 1", "\"format\": 2");
    assertThatThrownBy(() -> RunJson.read(json))
        .isInstanceOf(MisuseException.class)
        .hasMessageContainingAll("format 2", "reads format 1", "run the experiment again");
  }

  @Test
  void refusesWhatIsNotARun() {
    String json = RunJson.write(Runs.hostile("plain"));
    refuses("", "no format number");
    refuses("[]", "no format number");
    refuses("{", "is not a run");
    refuses("{\"format\":1}", "is not a run");
    refuses(json + "{}", "is not a run");
    refuses(json.replaceFirst("\"block\": 1", "\"block\": 1, \"block\": 1"), "is not a run");
    refuses(json.replaceFirst("\"block\": 1", "\"block\": 1.5"), "is not a run");
    refuses(json.replaceFirst("\"block\": 1,", ""), "is not a run");
    refuses(json.replaceFirst("\"block\": 1", "\"block\": 1, \"color\": 2"), "color");
  }

  @Test
  void saysWhichFileItCannotRead(@TempDir Path folder) {
    Path missing = folder.resolve("missing.json");
    assertThatThrownBy(() -> RunJson.read(missing))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining(missing.toString());
  }

  private static void refuses(String json, String why) {
    assertThatThrownBy(() -> RunJson.read(json))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining(why);
  }
}
