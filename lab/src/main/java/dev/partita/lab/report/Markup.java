package dev.partita.lab.report;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML. Whatever is not an element is escaped, so that no text of a run can become one: not
 * in content and not in attributes.
 */
final class Markup {

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Begins an element.
   *
   * @param attributes names and values in turn
   */
  Markup start(String element, String... attributes) {
    tag(element, attributes);
    open.push(element);
    return this;
  }

  /** An element that has no content. */
  Markup empty(String element, String... attributes) {
    tag(element, attributes);
    return this;
  }

  /** Ends the innermost element that is open. */
  Markup end() {
    out.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element with text in it. */
  Markup element(String element, String text, String... attributes) {
    tag(element, attributes);
    out.append(escaped(text)).append("</").append(element).append('>');
    return this;
  }

  Markup text(String text) {
    out.append(escaped(text));
    return this;
  }

  /** Takes over what was written by another. */
  Markup add(Markup other) {
    out.append(other);
    return this;
  }

  boolean isEmpty() {
    return out.isEmpty();
  }

  /** What was written so far; every element has to be closed. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }

  private void tag(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      out.append(escaped(attributes[i + 1])).append('"');
    }
    out.append('>');
  }

  /** Text that means itself in HTML, in content as in attributes. */
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        case '\n', '\t' -> safe.append(each);
        // Control characters are not allowed in HTML in any form.
        default -> safe.append(each < ' ' || each == '\u007f' ? '\ufffd' : each);
      }
    }
    return safe.toString();
  }
}
