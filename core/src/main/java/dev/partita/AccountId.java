package dev.partita;

/**
 * The caller's name for an account: 1–128 ASCII characters, segments of {@code [A-Za-z0-9._-]+}
 * joined by {@code :}, such as {@code seller:42:eur}. Unique in its ledger and never reused.
 * Ordered by its bytes.
 *
 * @param value the text
 */
public record AccountId(String value) implements Comparable<AccountId> {

  /** The longest id. */
  public static final int LENGTH_MAX = 128;

  /**
   * Checks the form.
   *
   * @throws MisuseException if the text is not an account id
   */
  public AccountId {
    check("account", value);
  }

  /** An account id; short for the constructor. */
  public static AccountId of(String value) {
    return new AccountId(value);
  }

  private static void check(String field, String value) {
    if (value.isEmpty() || value.length() > LENGTH_MAX) {
      throw new MisuseException(
          field, "an account id has 1 … 128 characters, this one has " + value.length());
    }
    boolean segmentEmpty = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == ':') {
        if (segmentEmpty) {
          throw new MisuseException(field, emptySegment(value));
        }
        segmentEmpty = true;
      } else if (isSegmentCharacter(c)) {
        segmentEmpty = false;
      } else {
        throw new MisuseException(
            field,
            Texts.quote(value)
                + " is not an account id: unexpected character "
                + (i + 1)
                + "; allowed are A-Z a-z 0-9 . _ - in segments joined by ':'");
      }
    }
    if (segmentEmpty) {
      throw new MisuseException(field, emptySegment(value));
    }
  }

  private static String emptySegment(String value) {
    return Texts.quote(value) + " is not an account id: a segment between ':' is empty";
  }

  private static boolean isSegmentCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  @Override
  public int compareTo(AccountId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
