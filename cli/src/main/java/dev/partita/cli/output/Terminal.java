package dev.partita.cli.output;

import java.io.PrintWriter;

/**
 * Where a command prints.
 *
 * @param out results
 * @param err errors and progress
 * @param interactive whether a person watches, so that a progress line may be redrawn
 * @param colour whether colours are wanted
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colour) {

  /** The few styles in use, as ANSI codes. */
  public enum Style {
    /** A heading. */
    BOLD("1"),
    /** Something secondary. */
    DIM("2"),
    /** All is well. */
    GOOD("32"),
    /** Refused, or worth a look. */
    WARN("33"),
    /** Wrong. */
    BAD("31;1");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  /** The text in a style, or as it is where colours are not wanted. */
  public String styled(Style style, String text) {
    return colour ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
  }

  /** Sends on what was printed. */
  public void flush() {
    out.flush();
    err.flush();
  }
}
