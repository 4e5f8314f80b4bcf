package dev.partita;

/**
 * The name of an asset: {@code [A-Z][A-Z0-9_]{0,15}}, such as {@code EUR} or {@code BTC}.
 *
 * @param value the text
 */
public record AssetCode(String value) implements Comparable<AssetCode> {

  private static final int MAX_LENGTH = 16;

  /**
   * Checks the form.
   *
   * @throws MisuseException if the text is not a code
   */
  public AssetCode {
    boolean valid = !value.isEmpty() && value.length() <= MAX_LENGTH;
    for (int i = 0; valid && i < value.length(); i++) {
      char c = value.charAt(i);
      valid = (c >= 'A' && c <= 'Z') || (i > 0 && ((c >= '0' && c <= '9') || c == '_'));
    }
    if (!valid) {
      throw new MisuseException(
          "asset",
          Texts.quote(value)
              + " is not an asset code: 1 … 16 characters A-Z, 0-9, _, the first a letter");
    }
  }

  @Override
  public int compareTo(AssetCode other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
