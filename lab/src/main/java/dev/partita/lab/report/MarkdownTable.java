package dev.partita.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table of a Markdown document. */
final class MarkdownTable {

  private final StringBuilder heads = new StringBuilder();

  /** The line below the heads, which says how columns are aligned. */
  private final StringBuilder rule = new StringBuilder();

  private final StringBuilder rows = new StringBuilder();

  MarkdownTable words(String name) {
    return column(name, "|---");
  }

  MarkdownTable numbers(String name) {
    return column(name, "|---:");
  }

  private MarkdownTable column(String name, String aligned) {
    heads.append(heads.isEmpty() ? "| " : " | ").append(name);
    rule.append(aligned);
    return this;
  }

  MarkdownTable row(List<String> cells) {
    rows.append("| ").append(String.join(" | ", cells)).append(" |\n");
    return this;
  }

  /** The table, every line ended by a line feed. */
  @Override
  public String toString() {
    return heads + " |\n" + rule + "|\n" + rows;
  }

  /** Text that Markdown takes as text, on one line and in one cell of a table. */
  static String text(String text) {
    return Arrays.stream(text.strip().split("\\s+", -1))
        .collect(Collectors.joining(" "))
        .replaceAll("([\\\\`*_|<>\\[\\]])", "\\\\$1");
  }
}
