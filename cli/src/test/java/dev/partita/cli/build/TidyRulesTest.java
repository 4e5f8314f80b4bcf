package dev.partita.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule is shown a tree that breaks it. */
class TidyRulesTest {
  @TempDir Path root;

  @Test
  void findsFilesOf600Lines() throws IOException {
    write("Long.java", "\n".repeat(600));
    write("Short.java", "\n".repeat(599));
    assertThat(tidy().longFiles()).containsExactly("Long.java: longer than 599 lines");
  }

  @Test
  void findsLeftovers() throws IOException {
    write("A.java", "// TO" + "DO later\nint TO" + "DOS;");
    write("notes.sql", "-- FIX" + "ME");
    write("target/B.java", "// TO" + "DO made by a tool");
    assertThat(tidy().leftovers()).hasSize(2).allMatch(line -> line.contains(":1: "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sanity" + " check", "Seam" + "less", "util" + "ize", "lever" + "aging"})
  void findsBannedWords(String word) throws IOException {
    write("README.md", "A ledger.\n" + word + " it is.");
    assertThat(tidy().bannedWords()).hasSize(1).allMatch(line -> line.startsWith("README.md:2: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/ro" + "ot", "cd /wo" + "rk/x", "\"/ho" + "me/ada/x\"", "/Us" + "ers/ada"})
  void findsPathsOfOneMachine(String text) throws IOException {
    write("run.sh", text);
    assertThat(tidy().machinePaths()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"src/wo" + "rk/x", "$HOME/ro" + "ot", "http://host/wo" + "rk", "/wo" + "rkers"})
  void leavesOtherPathsAlone(String text) throws IOException {
    write("run.sh", text);
    assertThat(tidy().machinePaths()).isEmpty();
  }

  @Test
  void findsRegistryHosts() throws IOException {
    String host = String.join(".", "repo", "maven", "apache", "org");
    write("settings.xml", "<url>https://" + host + "/maven2</url>");
    assertThat(tidy().registryHosts()).hasSize(1);
  }

  @Test
  void findsSleepingTestsUnlessExplained() throws IOException {
    write(
        "core/src/test/java/A.java",
        "Thread.sl" + "eep(5);\nThread.sl" + "eep(5); // tidy: it naps");
    write("core/src/main/java/B.java", "Thread.sl" + "eep(5);");
    assertThat(tidy().sleepingTests()).hasSize(1).allMatch(line -> line.contains("A.java:1: "));
  }

  @Test
  void findsSuppressionsWithoutReason() throws IOException {
    String suppression = "@Suppress" + "Warnings(\"unchecked\")";
    write("Bare.java", "\n" + suppression);
    write("Above.java", "// the cast is safe: both are maps\n" + suppression);
    write("Behind.java", suppression + " // the cast is safe: both are maps");
    write("Inside.java", "@Suppress" + "Warnings(\n// the cast is safe\n\"unchecked\")");
    write("Skipped.java", "  @Dis" + "abled\n  @Dis" + "abled(\"needs two disks\")");
    assertThat(tidy().suppressionsWithoutReason())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("Bare.java:2: "))
        .anyMatch(line -> line.startsWith("Skipped.java:1: "));
  }

  @Test
  void findsModulesWithoutReadme() throws IOException {
    write("core/pom.xml", "<project/>");
    write("cli/pom.xml", "<project/>");
    write("cli/README.md", "# Command line");
    assertThat(tidy().modulesWithoutReadme()).containsExactly("core/: no README.md");
  }

  @Test
  void findsGapsAndRepetitionsInMigrations() throws IOException {
    String folder = "postgres/src/main/resources/dev/partita/";
    write(folder + "good/V001__schema.sql", "");
    write(folder + "good/V002__views.sql", "");
    write(folder + "gap/V001__schema.sql", "");
    write(folder + "gap/V003__views.sql", "");
    write(folder + "twice/V001__schema.sql", "");
    write(folder + "twice/V1__views.sql", "");
    write(folder + "name/V001-schema.sql", "");
    assertThat(tidy().migrationGaps())
        .hasSize(3)
        .anyMatch(line -> line.endsWith("gap: migration numbers are [1, 3]"))
        .anyMatch(line -> line.endsWith("twice: migration numbers are [1, 1]"))
        .anyMatch(line -> line.endsWith("V001-schema.sql: not named V<number>__<words>.sql"));
  }

  @Test
  void findsBrokenLinks() throws IOException {
    write("docs/guide.md", "# Guide\n## What it *does*\n## Notes\n## Notes\n");
    write(
        "README.md",
        """
        [a](docs/guide.md) [b](docs/guide.md#what-it-does) [c](docs/guide.md#notes-1) [d](docs)
        [e](docs/missing.md)
        [f](docs/guide.md#missing)
        [g](#nowhere)
        ![h](plot.png)
        [i]: docs/gone.md
        [j](https://example.org/x) `[k](code.md)`
        ```
        [l](fenced.md)
        ```
        """);
    assertThat(tidy().brokenLinks())
        .containsExactly(
            "README.md:2: leads nowhere: docs/missing.md",
            "README.md:3: leads nowhere: docs/guide.md#missing",
            "README.md:4: leads nowhere: #nowhere",
            "README.md:5: leads nowhere: plot.png",
            "README.md:6: leads nowhere: docs/gone.md");
  }

  @Test
  void findsNothingInAnEmptyTree() {
    assertThat(TidyTest.rules().map(rule -> rule.getPayload().apply(tidy())))
        .containsOnly(Collections.emptyList());
  }

  private Tidy tidy() {
    return new Tidy(SourceTree.at(root));
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
