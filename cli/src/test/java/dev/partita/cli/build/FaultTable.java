package dev.partita.cli.build;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The table of faults that shipped in other ledgers, in {@code docs/reliability/faults.md}: whether
 * every row is there, and whether the tests and scenarios that it names exist. The last cell of a
 * row names tests as {@code `Class.method`} and scenarios as {@code `file.table: title`}, or begins
 * with the word "open".
 */
final class FaultTable {

  static final int ROWS = 62;

  private static final Pattern ROW = Pattern.compile("\\|\\s*(\\d+)\\s*\\|.*\\|([^|]*)\\|\\s*");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("([A-Z]\\w*)\\.(\\w+)");
  private static final Pattern SCENARIO = Pattern.compile("(\\w+\\.table): (.+)");

  private final SourceTree tree;

  FaultTable(SourceTree tree) {
    this.tree = tree;
  }

  /** What is wrong with a document, one line each. */
  List<String> offences(List<String> document) {
    List<String> offences = new ArrayList<>();
    TreeMap<Integer, String> rows = new TreeMap<>();
    for (String line : document) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        int number = Integer.parseInt(row.group(1));
        if (rows.put(number, row.group(2).strip()) != null) {
          offences.add("row " + number + " is there twice");
        }
      }
    }
    IntStream.rangeClosed(1, ROWS)
        .filter(number -> !rows.containsKey(number))
        .forEach(number -> offences.add("row " + number + " is missing"));
    rows.forEach((number, shownBy) -> check("row " + number + ": ", shownBy, offences));
    return offences;
  }

  private void check(String where, String shownBy, List<String> offences) {
    int named = 0;
    for (MatchResult code : CODE.matcher(shownBy).results().toList()) {
      String text = code.group(1);
      Matcher test = TEST.matcher(text);
      Matcher scenario = SCENARIO.matcher(text);
      if (test.matches()) {
        named++;
        if (!isTest(test.group(1), test.group(2))) {
          offences.add(where + "there is no test " + text);
        }
      } else if (scenario.matches()) {
        named++;
        if (!isScenario(scenario.group(1), scenario.group(2))) {
          offences.add(where + "there is no scenario " + text);
        }
      }
    }
    if (named == 0 && !shownBy.startsWith("open")) {
      offences.add(where + "names no test and is not open");
    }
  }

  private boolean isTest(String className, String method) {
    return tree.withExtension("java")
        .filter(file -> file.getFileName().toString().equals(className + ".java"))
        .anyMatch(file -> declaresTest(SourceTree.lines(file), method));
  }

  /**
   * A declaration of that name with an annotation that ends in "Test" or "TestFactory" above it.
   */
  private static boolean declaresTest(List<String> lines, String name) {
    Pattern declaration =
        Pattern.compile(
            ".*\\b(?:void|Stream<\\w+>) " + name + "\\(.*|.*\\bArchRule " + name + "\\b.*");
    for (int i = 0; i < lines.size(); i++) {
      if (declaration.matcher(lines.get(i)).matches()) {
        for (int above = i; above >= 0 && !lines.get(above).isBlank(); above--) {
          if (lines.get(above).strip().matches("@\\w*Test(?:Factory)?\\b.*")) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean isScenario(String file, String title) {
    return tree.withExtension("table")
        .filter(table -> table.getFileName().toString().equals(file))
        .anyMatch(table -> SourceTree.lines(table).contains("== " + title));
  }
}
