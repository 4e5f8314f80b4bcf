package dev.partita.lab.report;

import dev.partita.MisuseException;

/**
 * A part of a Markdown file that a program writes: what stands between {@code <!-- lab:begin NAME
 * -->} and the next {@code <!-- lab:end -->}.
 *
 * @param name in the mark at its beginning
 */
public record MarkdownSection(String name) {

  private static final String END = "<!-- lab:end -->";

  /** Whether a document has a place for this part. */
  boolean isIn(String document) {
    return document.contains(begin());
  }

  private String begin() {
    return "<!-- lab:begin " + name + " -->";
  }

  /**
   * The document with this part replaced, all else untouched.
   *
   * @param document that has the part exactly once
   * @param body Markdown without marks
   * @throws MisuseException if the marks are missing or the beginning is there twice
   */
  public String replacedIn(String document, String body) {
    String begin = begin();
    int from = document.indexOf(begin);
    if (from < 0) {
      throw new MisuseException(
          "no place for " + name + ": put the line " + begin + " and, below it, " + END);
    }
    if (document.indexOf(begin, from + 1) >= 0) {
      throw new MisuseException("two places for " + name + ": leave one line " + begin);
    }
    int inside = from + begin.length();
    int to = document.indexOf(END, inside);
    int next = document.indexOf("<!-- lab:begin", inside);
    if (to < 0 || (next >= 0 && next < to)) {
      throw new MisuseException("no end for " + name + ": put the line " + END + " below " + begin);
    }
    return document.substring(0, inside) + "\n\n" + body.strip() + "\n\n" + document.substring(to);
  }
}
