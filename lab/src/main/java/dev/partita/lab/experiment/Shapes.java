package dev.partita.lab.experiment;

import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Finding.Outcome;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.result.Spread;
import java.util.Locale;

/** Judges figures by bounds that were there before them. */
public final class Shapes {

  private Shapes() {}

  /** Shown from {@code shownMin} on; less refutes nothing. */
  public static Finding atLeast(Ratio ratio, double shownMin) {
    return finding(
        ratio.name(),
        "at least " + text(shownMin),
        ratio.median(),
        ratio.median() >= shownMin,
        false,
        spread(ratio));
  }

  /** Shown up to {@code shownMax}; more refutes nothing. */
  public static Finding atMost(Ratio ratio, double shownMax) {
    return finding(
        ratio.name(),
        "at most " + text(shownMax),
        ratio.median(),
        ratio.median() <= shownMax,
        false,
        spread(ratio));
  }

  /** Shown from {@code shownMin} on, refuted below {@code refutedBelow}. */
  public static Finding atLeast(Ratio ratio, double shownMin, double refutedBelow) {
    return finding(
        ratio.name(),
        "at least " + text(shownMin) + "; refuted below " + text(refutedBelow),
        ratio.median(),
        ratio.median() >= shownMin,
        ratio.median() < refutedBelow,
        spread(ratio));
  }

  /** Shown up to {@code shownMax}, refuted above {@code refutedAbove}. */
  public static Finding atMost(Ratio ratio, double shownMax, double refutedAbove) {
    return finding(
        ratio.name(),
        "at most " + text(shownMax) + "; refuted above " + text(refutedAbove),
        ratio.median(),
        ratio.median() <= shownMax,
        ratio.median() > refutedAbove,
        spread(ratio));
  }

  /** Shown between both, refuted above {@code refutedAbove}. */
  public static Finding between(Ratio ratio, double min, double max, double refutedAbove) {
    return finding(
        ratio.name(),
        text(min) + " to " + text(max) + "; refuted above " + text(refutedAbove),
        ratio.median(),
        ratio.median() >= min && ratio.median() <= max,
        ratio.median() > refutedAbove,
        spread(ratio));
  }

  /** A value that is no ratio of goodputs. */
  public static Finding judged(
      String what, String expected, double value, boolean shown, boolean refuted, String unit) {
    return finding(what, expected, value, shown, refuted, unit);
  }

  private static Finding finding(
      String what, String expected, double value, boolean shown, boolean refuted, String more) {
    if (!Double.isFinite(value)) {
      return new Finding(what, expected, "not measured", Outcome.NOT_JUDGED);
    }
    Outcome outcome = shown ? Outcome.SHOWN : refuted ? Outcome.REFUTED : Outcome.UNCLEAR;
    return new Finding(what, expected, (text(value) + " " + more).strip(), outcome);
  }

  private static String spread(Ratio ratio) {
    if (ratio.perBlock().size() < 2) {
      return "";
    }
    Spread blocks = Spread.of(ratio.perBlock());
    return "(" + text(blocks.min()) + " to " + text(blocks.max()) + ")";
  }

  /** Three digits of a figure. */
  public static String text(double value) {
    if (!Double.isFinite(value)) {
      return "(not measured)";
    }
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
