package dev.partita.lab.report;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** How numbers are written in reports: the same everywhere, whatever the machine's language. */
final class Numbers {

  /** In place of a number that is not there. */
  static final String NONE = "–";

  private Numbers() {}

  /** With as many digits as say something: 0.152, 4.27, 61.2, 1,240. */
  static String figure(double value) {
    double size = Math.abs(value);
    if (size == 0 || size >= 99.95) {
      return fixed(value, 0);
    }
    return fixed(value, size < 0.9995 ? 3 : size < 9.995 ? 2 : 1);
  }

  /** A number of things. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String fixed(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** How many times as much: 0.93×, 4.2×, 21×. */
  static String ratio(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + "×";
  }

  /** A number that people count with, such as callers, without needless decimals. */
  static String plain(double value) {
    return value == Math.rint(value) ? fixed(value, 0) : figure(value);
  }

  /** A round number on an axis: 0.05, 0.5, 20. */
  static String tick(double value) {
    return fixed(value, value >= 1 ? 0 : value >= 0.1 ? 1 : 2);
  }

  /**
   * Decimals for a column of figures, so that the points stand below each other and the least of
   * them keeps two digits or more.
   */
  static int decimals(Collection<Double> column) {
    double least =
        column.stream()
            .mapToDouble(Math::abs)
            .filter(each -> Double.isFinite(each) && each > 0)
            .min()
            .orElse(100);
    return least < 0.095 ? 3 : least < 9.95 ? 2 : least < 99.5 ? 1 : 0;
  }

  /** The same for figures whose differences lie far before the point where they are large. */
  static int decimalsAtMost(Collection<Double> column) {
    double most = column.stream().filter(Double::isFinite).mapToDouble(Math::abs).max().orElse(0);
    return Math.min(decimals(column), most >= 100 ? 1 : 2);
  }

  /** The first number in a sentence such as "at least 1.5×" or "≥ 70 %", a per cent as a part. */
  static Optional<Double> firstIn(String sentence) {
    var matcher =
        java.util.regex.Pattern.compile("(\\d[\\d,]*(?:\\.\\d+)?)\\s*(%?)").matcher(sentence);
    if (!matcher.find()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(matcher.group(1).replace(",", ""));
    return Optional.of(matcher.group(2).isEmpty() ? number : number / 100);
  }
}
