package dev.partita.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Columns for lines of one kind. Widths come from the lines of the first block printed, so that an
 * answer of many pages needs no memory for all of them.
 */
public final class Table<T> {

  private static final int GAP = 2;

  private record Column<T>(String title, boolean right, Function<T, String> text) {}

  private final List<Column<T>> columns = new ArrayList<>();
  private int[] widths = {};
  private boolean begun;

  /** Adds a column of words. */
  public Table<T> left(String title, Function<T, String> text) {
    columns.add(new Column<>(title, false, text));
    return this;
  }

  /** Adds a column of numbers. */
  public Table<T> right(String title, Function<T, String> text) {
    columns.add(new Column<>(title, true, text));
    return this;
  }

  /** Prints lines; the first time with titles above. */
  public void print(Terminal terminal, List<T> lines) {
    List<List<String>> cells = new ArrayList<>(lines.size());
    for (T line : lines) {
      cells.add(columns.stream().map(c -> Text.visible(c.text().apply(line))).toList());
    }
    if (!begun) {
      begun = true;
      measure(cells);
      List<String> titles = columns.stream().map(Column::title).toList();
      terminal.out().println(terminal.styled(Terminal.Style.BOLD, format(titles)));
    }
    for (List<String> line : cells) {
      terminal.out().println(format(line));
    }
  }

  private void measure(List<List<String>> cells) {
    widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).title().length();
      for (List<String> line : cells) {
        widths[i] = Math.max(widths[i], width(line.get(i)));
      }
    }
  }

  private String format(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(Math.max(0, widths[i] - width(cell)));
      line.append(columns.get(i).right() ? padding + cell : cell + padding);
      line.append(" ".repeat(GAP));
    }
    return line.toString().stripTrailing();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
