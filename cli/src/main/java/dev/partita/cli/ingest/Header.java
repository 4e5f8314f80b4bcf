package dev.partita.cli.ingest;

import dev.partita.MisuseException;
import dev.partita.cli.output.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The names of a file's columns. */
final class Header {

  private final List<String> names;
  private final Map<String, Integer> positions;

  private Header(List<String> names, Map<String, Integer> positions) {
    this.names = names;
    this.positions = positions;
  }

  /**
   * Reads the first record of a file.
   *
   * @param known whether there is a column of this name
   * @param columns the known names, in words
   * @throws MisuseException if there is no first record, or a column unknown, blank or there twice
   */
  static Header read(CsvFile file, Predicate<String> known, String columns) {
    CsvFile.Line first = file.next();
    if (first == null) {
      throw problem(file, 1, "the file is empty; its first row names the columns: " + columns);
    }
    Map<String, Integer> positions = new HashMap<>();
    for (String name : first.values()) {
      if (!known.test(name)) {
        throw problem(
            file,
            first.line(),
            "there is no column " + Text.quote(name) + "; columns are " + columns);
      }
      if (positions.put(name, positions.size()) != null) {
        throw problem(file, first.line(), "the column " + Text.quote(name) + " is there twice");
      }
    }
    return new Header(first.values(), positions);
  }

  /** The names in order. */
  List<String> names() {
    return names;
  }

  /** Whether the file has this column. */
  boolean has(String name) {
    return positions.containsKey(name);
  }

  /**
   * Requires columns.
   *
   * @throws MisuseException naming the first that is missing
   */
  void require(CsvFile file, String... required) {
    for (String name : required) {
      if (!has(name)) {
        throw problem(file, 1, "the column " + name + " is missing");
      }
    }
  }

  /** The value of a column, or null if it is empty or the file does not have it. */
  @Nullable String value(CsvFile.Line line, String name) {
    Integer position = positions.get(name);
    if (position == null) {
      return null;
    }
    String value = line.values().get(position);
    return value.isEmpty() ? null : value;
  }

  /**
   * The value of a column.
   *
   * @throws MisuseException if it is empty
   */
  String required(CsvFile.Line line, String name) {
    String value = value(line, name);
    if (value == null) {
      throw new MisuseException(name, "is empty");
    }
    return value;
  }

  /**
   * Requires as many values as there are columns.
   *
   * @throws MisuseException if there are more or fewer
   */
  void requireWidth(CsvFile.Line line) {
    if (line.values().size() != names.size()) {
      throw new MisuseException(
          "the row has "
              + line.values().size()
              + " values, the header has "
              + names.size()
              + " columns");
    }
  }

  static MisuseException problem(CsvFile file, long line, String problem) {
    return new MisuseException(
        "FILE", Text.visible(file.name()) + " line " + line + ": " + problem);
  }
}
