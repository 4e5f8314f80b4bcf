package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The look of every series, the same in all drawings of a page: number 0 is drawn to be seen first,
 * the next few strongly, the others quietly.
 */
final class Styles {

  /** As many as style sheet and markers have; further series begin again. */
  static final int STYLES = 12;

  private static final String PARTITA = "partita";

  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  /**
   * Partita is number 0, so that it looks the same in every report. Then come series that are lines
   * and then those of a single point, both in the order of their arms.
   */
  Styles(Collection<Arm> arms) {
    Map<String, Set<Double>> places = new LinkedHashMap<>();
    Set<String> partita = new HashSet<>();
    for (Arm arm : arms) {
      String look = look(arm, arms);
      Set<Double> known = places.computeIfAbsent(look, name -> new LinkedHashSet<>());
      arm.x().ifPresent(known::add);
      if (arm.setup().contender().equals(PARTITA)) {
        partita.add(look);
      }
    }
    List<String> looks = new ArrayList<>();
    places.forEach((look, known) -> add(looks, look, known.size() > 1));
    places.keySet().forEach(look -> add(looks, look, true));
    looks.stream()
        .filter(partita::contains)
        .findFirst()
        .ifPresent(
            first -> {
              looks.remove(first);
              looks.addFirst(first);
            });
    for (Arm arm : arms) {
      numbers.put(arm.setup().series(), looks.indexOf(look(arm, arms)));
    }
  }

  private static void add(List<String> looks, String look, boolean wanted) {
    if (wanted && !looks.contains(look)) {
      looks.add(look);
    }
  }

  /** A series under an emulation looks like the one without: they stand in separate drawings. */
  private static String look(Arm arm, Collection<Arm> arms) {
    String series = arm.setup().series();
    if (arm.setup().emulation().isEmpty()) {
      return series;
    }
    return arms.stream()
        .filter(each -> each.setup().emulation().isEmpty())
        .filter(each -> each.setup().contender().equals(arm.setup().contender()))
        .map(each -> each.setup().series())
        .filter(series::startsWith)
        .findFirst()
        .orElse(series);
  }

  int number(String series) {
    return Math.floorMod(numbers.getOrDefault(series, 0), STYLES);
  }

  int number(Arm arm) {
    return number(arm.setup().series());
  }

  /** The class of the style sheet. */
  String of(Arm arm) {
    return "s" + number(arm);
  }
}
