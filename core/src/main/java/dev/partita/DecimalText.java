package dev.partita;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The one text form of amounts and balances: plain ASCII decimals in major units. */
final class DecimalText {

  /** 39 digits, 30 of them after the point, a point, a sign, and room for leading zeros. */
  private static final int MAX_LENGTH = 80;

  private DecimalText() {}

  static BigInteger parse(String field, String text, Asset asset, boolean signed) {
    if (text.isEmpty()) {
      throw new MisuseException(
          field, "empty text is not a decimal number; write for example 12.50");
    }
    if (text.length() > MAX_LENGTH) {
      throw new MisuseException(
          field, "a decimal number of " + text.length() + " characters is too long");
    }
    int start = signed && text.charAt(0) == '-' ? 1 : 0;
    int point = -1;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' && point < 0 && i > start && i < text.length() - 1) {
        point = i;
      } else if (c < '0' || c > '9') {
        throw new MisuseException(field, unexpected(text, i, signed));
      }
    }
    if (start == text.length()) {
      throw new MisuseException(field, "a sign alone is not a decimal number");
    }
    int fraction = point < 0 ? 0 : text.length() - point - 1;
    if (fraction > asset.scale()) {
      throw new MisuseException(
          field,
          Texts.quote(text)
              + " has "
              + fraction
              + " digits after the point, "
              + asset.code()
              + " has "
              + asset.scale());
    }
    String digits = point < 0 ? text : text.substring(0, point) + text.substring(point + 1);
    BigInteger minor =
        new BigInteger(digits).multiply(BigInteger.TEN.pow(asset.scale() - fraction));
    if (minor.bitLength() > 127) {
      throw new MisuseException(
          field, Texts.quote(text) + " " + asset.code() + " is more than 2^127-1 minor units");
    }
    return minor;
  }

  static String format(BigInteger minorUnits, int scale) {
    return new BigDecimal(minorUnits, scale).toPlainString();
  }

  private static String unexpected(String text, int at, boolean signed) {
    return Texts.quote(text)
        + " is not a decimal number: unexpected "
        + Texts.quote(text.substring(at, text.offsetByCodePoints(at, 1)))
        + " at character "
        + (at + 1)
        + "; write digits, at most one point between digits"
        + (signed ? ", and at most one leading '-'" : ", no sign")
        + ", for example 12.50";
  }
}
