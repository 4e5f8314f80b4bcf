package dev.partita.lab.experiment;

import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import java.time.Duration;
import java.util.List;

/** A question with arms that answer it, as one small declaration. Immutable. */
public interface Experiment {

  /** What it is and what it expects. */
  Description description();

  /** What is compared. */
  List<Arm> arms(Profile profile);

  /** Longest window of a cell; the profile's unless the question needs more answers. */
  default Duration windowMax(Profile profile) {
    return profile.windowMax();
  }

  /** What is divided by what. */
  List<Ratio> ratios(Results results);

  /** What was expected and what was seen. */
  List<Finding> findings(Results results);

  /** The answer in one sentence. */
  String summary(Results results);

  /**
   * What it is.
   *
   * @param name as users call it, such as {@code E000-1} or {@code hot}
   * @param title in a few words
   * @param claim what is claimed, and by whom
   * @param expected what counts as shown, and what as refuted
   * @param xAxis what the axis of its plots is, in words; empty if there is none
   */
  record Description(String name, String title, String claim, String expected, String xAxis) {}
}
