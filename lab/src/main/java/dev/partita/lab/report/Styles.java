package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The colour and dash of every series, the same in all plots of a page. */
final class Styles {

  /** As many as the style sheet has; further series begin again. */
  private static final int STYLES = 8;

  private final List<String> series = new ArrayList<>();

  /** Partita first, so that it looks the same in every report; the others as they occur. */
  Styles(List<Arm> arms) {
    arms.stream()
        .sorted(Comparator.comparing(each -> !each.setup().contender().startsWith("partita")))
        .map(each -> each.setup().series())
        .distinct()
        .forEach(series::add);
  }

  int number(String name) {
    return Math.floorMod(series.indexOf(name), STYLES);
  }

  int number(Arm arm) {
    return number(arm.setup().series());
  }

  /** The class of the style sheet. */
  String of(Arm arm) {
    return "s" + number(arm);
  }
}
