package dev.partita.cli.output;

/** Makes stored text fit to be shown. */
public final class Text {

  private Text() {}

  /**
   * The text with control and other invisible characters escaped, so that nothing stored in a
   * ledger can move the cursor, change colours or fake a line on somebody's terminal.
   */
  public static String visible(String text) {
    boolean plain = true;
    for (int i = 0; plain && i < text.length(); i++) {
      char c = text.charAt(i);
      plain = c >= ' ' && c <= '~';
    }
    if (plain) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 8);
    text.codePoints()
        .forEach(
            c -> {
              if (isInvisible(c)) {
                out.append(String.format("\\u%04x", c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /** The text in quotes, escaped as {@link #visible} does, and shortened. */
  public static String quote(String text) {
    int lengthMax = 60;
    String shown =
        text.length() <= lengthMax
            ? text
            : text.substring(0, text.offsetByCodePoints(0, Math.min(lengthMax, codePoints(text))));
    String ending = shown.length() < text.length() ? "…\"" : "\"";
    return "\"" + visible(shown).replace("\"", "\\\"") + ending;
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean isInvisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
