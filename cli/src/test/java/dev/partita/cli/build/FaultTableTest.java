package dev.partita.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of faults names tests that exist; and what the check of that would find. */
class FaultTableTest {

  private static final SourceTree TREE = SourceTree.ofThisProject();
  private static final Path DOCUMENT = TREE.root().resolve("docs/reliability/faults.md");
  private static final FaultTable TABLE = new FaultTable(TREE);

  @Test
  void everyFaultHasItsTestOrIsOpen() {
    assertThat(TABLE.offences(SourceTree.lines(DOCUMENT))).isEmpty();
  }

  @Test
  void findsAMissingRow() {
    List<String> document = new ArrayList<>(SourceTree.lines(DOCUMENT));
    document.removeIf(line -> line.startsWith("| 17 "));
    assertThat(TABLE.offences(document)).containsExactly("row 17 is missing");
  }

  @Test
  void findsARowThatIsThereTwice() {
    assertThat(offencesOf("| 17 | a | b | c | open |")).contains("row 17 is there twice");
  }

  @Test
  void findsClassesMethodsAndScenariosThatDoNotExist() {
    assertThat(
            offencesOf(
                "| 63 | a | b | c | `NoSuchTest.works`, `TidyTest.noSuchMethod`,"
                    + " `holds.table: no such title`, `no.table: at all` |"))
        .containsExactly(
            "row 63: there is no test NoSuchTest.works",
            "row 63: there is no test TidyTest.noSuchMethod",
            "row 63: there is no scenario holds.table: no such title",
            "row 63: there is no scenario no.table: at all");
  }

  /** A helper that is only called by tests is none. */
  @Test
  void findsMethodsThatAreNoTests() {
    assertThat(offencesOf("| 63 | a | b | c | `TidyRulesTest.write`, `TidyTest.rules` |"))
        .containsExactly(
            "row 63: there is no test TidyRulesTest.write",
            "row 63: there is no test TidyTest.rules");
  }

  @Test
  void findsARowThatNamesNothing() {
    assertThat(offencesOf("| 63 | a | b | c | cannot happen |"))
        .containsExactly("row 63: names no test and is not open");
    assertThat(offencesOf("| 63 | a | b | c | open: there is none yet |")).isEmpty();
  }

  private static List<String> offencesOf(String line) {
    List<String> document = new ArrayList<>(SourceTree.lines(DOCUMENT));
    document.add(line);
    return TABLE.offences(document);
  }
}
