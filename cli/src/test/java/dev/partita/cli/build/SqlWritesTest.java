package dev.partita.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Which code writes to which table, all of it. A balance has one way into the database: as part of
 * a record that is inserted under the locks of its accounts. A second way, or any statement that
 * changes a record, would have to be added here first.
 */
class SqlWritesTest {

  private static final Pattern WRITE =
      Pattern.compile(
          "\\b(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|MERGE INTO|COPY) (?:TABLE )?(?:ONLY )?(?:§\\.)?"
              + "(account_change|account|api_key|asset|barrier|hold|ledger|transfer)\\b");

  @Test
  void everyTableIsWrittenInOnePlace() {
    assertThat(writes(SourceTree.ofThisProject()))
        .containsExactly(
            "AccountWriter: INSERT INTO account",
            "AccountWriter: INSERT INTO account_change",
            "AccountWriter: INSERT INTO asset",
            "AccountWriter: UPDATE account",
            "LaneConnection: UPDATE barrier",
            "PostgresApiKeys: INSERT INTO api_key",
            "PostgresApiKeys: UPDATE api_key",
            "RecordColumns: COPY transfer",
            "RecordColumns: INSERT INTO transfer",
            "RecordWriter: DELETE FROM hold",
            "RecordWriter: INSERT INTO hold",
            "RecordWriter: UPDATE hold");
  }

  private static List<String> writes(SourceTree tree) {
    TreeSet<String> writes = new TreeSet<>();
    tree.withExtension("java")
        .filter(file -> tree.name(file).matches("(postgres|core|embedded|cli)/src/main/.*"))
        .forEach(
            file -> {
              String name = file.getFileName().toString().replace(".java", "");
              WRITE
                  .matcher(statements(file))
                  .results()
                  .forEach(
                      write -> writes.add(name + ": " + write.group(1) + " " + write.group(2)));
            });
    return List.copyOf(writes);
  }

  /**
   * The text of a source file with its string literals joined, and § for the name of the schema.
   */
  private static String statements(Path file) {
    return String.join(" ", SourceTree.lines(file))
        .replaceAll("\"\\s*\\+\\s*\\w+\\s*\\+\\s*\"", "§")
        .replaceAll("\"\\);\\s*\\w+\\.append\\(\\w+\\)\\.append\\(\"", "§")
        .replaceAll("\"\\s*\\+\\s*\"", "")
        .replaceAll("%(?:\\d+\\$)?s", "§")
        .replaceAll("\\s+", " ");
  }
}
