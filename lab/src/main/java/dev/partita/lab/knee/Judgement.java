package dev.partita.lab.knee;

/**
 * A verdict and why.
 *
 * @param verdict of one probe
 * @param passing whether the promise was kept going by the measured value alone, without regard to
 *     its noise: what an ambiguous probe counts for in a vote; false if invalid
 * @param reason in words
 */
public record Judgement(Verdict verdict, boolean passing, String reason) {

  static Judgement invalid(String reason) {
    return new Judgement(Verdict.INVALID, false, reason);
  }

  static Judgement fail(String reason) {
    return new Judgement(Verdict.FAIL, false, reason);
  }

  static Judgement pass(String reason) {
    return new Judgement(Verdict.PASS, true, reason);
  }
}
