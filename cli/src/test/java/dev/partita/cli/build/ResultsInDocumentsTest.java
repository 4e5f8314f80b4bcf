package dev.partita.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.report.DocumentTables;
import dev.partita.lab.report.RunJson;
import dev.partita.lab.result.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Measured figures in documents are those of the result files, to the letter. */
class ResultsInDocumentsTest {

  private static final Path ROOT = SourceTree.ofThisProject().root();
  private static final Path RESULTS = ROOT.resolve("docs/results");
  private static final Pattern BEGIN = Pattern.compile("(?m)^<!-- lab:begin ([A-Za-z0-9-]+) -->$");

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(each -> each.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  @Test
  void everyTableIsThatOfItsResultFile() throws IOException {
    int tables = 0;
    for (Path document : documents()) {
      String text = Files.readString(document);
      for (Matcher begin = BEGIN.matcher(text); begin.find(); tables++) {
        String name = begin.group(1).replaceFirst("-beside$", "").toLowerCase(Locale.ROOT);
        Run run = RunJson.read(RESULTS.resolve(name + ".json"));
        assertThat(DocumentTables.in(text, run))
            .as(
                "%s; bring it up to date with: partita lab report docs/results/%s.json --into %s",
                ROOT.relativize(document), name, ROOT.relativize(document))
            .isEqualTo(text);
      }
    }
    assertThat(tables).as("tables found").isPositive();
  }

  @Test
  void everyResultFileMayBeUsed() throws IOException {
    try (Stream<Path> files = Files.list(RESULTS)) {
      assertThat(files.filter(each -> each.toString().endsWith(".json")))
          .isNotEmpty()
          .allMatch(each -> RunJson.read(each).verdict().usable());
    }
  }
}
