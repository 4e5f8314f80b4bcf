package dev.partita;

/** Checks and quoting of caller-supplied text. */
final class Texts {

  private static final int QUOTED_MAX = 60;

  private Texts() {}

  /**
   * The text in quotes for a message: shortened, and with everything but printable ASCII escaped.
   */
  static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    int end = Math.min(text.length(), QUOTED_MAX);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    return out.append(end < text.length() ? "…\"" : "\"").toString();
  }

  /**
   * Requires 1 … {@code maxCodePoints} code points without control characters or lone surrogates.
   */
  static void requireLine(String field, String text, int maxCodePoints) {
    if (text.isEmpty()) {
      throw new MisuseException(
          field, "empty; leave it out or give 1 … " + maxCodePoints + " characters");
    }
    int codePoints = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Character.isISOControl(c)) {
        throw new MisuseException(
            field, String.format("control character U+%04X at character %d", c, codePoints + 1));
      }
      requireNoSurrogate(field, c, codePoints);
      i += Character.charCount(c);
      codePoints++;
    }
    if (codePoints > maxCodePoints) {
      throw new MisuseException(
          field, "has " + codePoints + " characters, at most " + maxCodePoints + " are allowed");
    }
  }

  /** Requires text that UTF-8 and PostgreSQL can hold: no NUL, no lone surrogates. */
  static void requireStorable(String field, String text) {
    int codePoints = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (c == 0) {
        throw new MisuseException(field, "NUL at character " + (codePoints + 1));
      }
      requireNoSurrogate(field, c, codePoints);
      i += Character.charCount(c);
      codePoints++;
    }
  }

  private static void requireNoSurrogate(String field, int c, int at) {
    if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
      throw new MisuseException(
          field, String.format("lone surrogate U+%04X at character %d", c, at + 1));
    }
  }
}
