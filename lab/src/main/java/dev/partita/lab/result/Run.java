package dev.partita.lab.result;

import dev.partita.lab.contender.Card;
import java.util.List;

/**
 * One run of one experiment: everything a report says is in here.
 *
 * @param format of this record, for programs; {@link #FORMAT}
 * @param about what was run
 * @param place where
 * @param cards of all contenders
 * @param cells in the order in which they ran
 * @param ratios between arms
 * @param findings what was expected and what was seen
 * @param verdict what the figures are worth
 * @param summary the answer in one sentence
 */
public record Run(
    int format,
    About about,
    Place place,
    List<Card> cards,
    List<Cell> cells,
    List<Ratio> ratios,
    List<Finding> findings,
    Verdict verdict,
    String summary) {

  /** The format that this version writes. */
  public static final int FORMAT = 1;

  /** Takes copies. */
  public Run {
    cards = List.copyOf(cards);
    cells = List.copyOf(cells);
    ratios = List.copyOf(ratios);
    findings = List.copyOf(findings);
  }
}
