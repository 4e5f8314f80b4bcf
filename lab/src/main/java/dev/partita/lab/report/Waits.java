package dev.partita.lab.report;

import dev.partita.lab.report.HtmlTable.Value;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What sessions were found doing or waiting for: a bar for each arm, made of parts. */
final class Waits {

  private static final String PREFIX = "wait.";
  private static final String SESSIONS = "active_sessions";

  /** More would not be told apart. */
  private static final int EVENTS_MAX = 9;

  private static final String OTHER = "other";

  /** Below this part of a bar its number has no room. */
  private static final double LABELLED_MIN = 0.07;

  /** Kinds of events that the style sheet knows, from left to right; all others are rare. */
  private static final List<String> KINDS =
      List.of("running", "Lock", "LWLock", "IO", "Client", "rare");

  private static final int SHADES = 3;

  /** The events that are told apart, the commonest first, and the looks of their parts. */
  private final Map<String, String> looks = new LinkedHashMap<>();

  private Waits(List<Arm> arms) {
    Map<String, Double> all = new LinkedHashMap<>();
    for (Arm arm : arms) {
      parts(arm).forEach((event, part) -> all.merge(event, part, Double::sum));
    }
    Map<String, Integer> ofKind = new LinkedHashMap<>();
    all.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(all.size() > EVENTS_MAX ? EVENTS_MAX - 1 : EVENTS_MAX)
        .forEach(
            each -> {
              String kind = kind(each.getKey());
              int shade = Math.min(ofKind.merge(kind, 1, Integer::sum), SHADES);
              looks.put(each.getKey(), kind.toLowerCase(Locale.ROOT) + " n" + shade);
            });
  }

  /** Whether a figure is one of those. */
  static boolean about(String key) {
    return key.equals(SESSIONS) || key.startsWith(PREFIX);
  }

  /** The bars and what their parts mean; empty if nothing was sampled. */
  static Markup bars(List<Arm> arms) {
    Waits waits = new Waits(arms);
    Markup html = new Markup();
    if (waits.looks.isEmpty()) {
      return html;
    }
    HtmlTable table = new HtmlTable("What sessions were found doing, in per cent of all samples");
    table.words("Arm").numbers("sessions", "mean").words("");
    for (Arm arm : arms) {
      double sessions = arm.spread(each -> each.figure(SESSIONS).orElse(Double.NaN)).median();
      table.row(
          ArmTables.style(arm),
          List.of(
              Value.of(arm.name()),
              Value.of(Numbers.fixed(sessions, 1)),
              new Value(waits.bar(parts(arm)), "drawn wide")));
    }
    return html.add(waits.legend(arms)).add(table.markup());
  }

  private Markup legend(List<Arm> arms) {
    boolean other =
        arms.stream().anyMatch(each -> !looks.keySet().containsAll(parts(each).keySet()));
    Markup html = new Markup().start("ul", "class", "legend");
    Stream.concat(inOrder().stream(), other ? Stream.of(OTHER) : Stream.of())
        .forEach(
            event -> {
              html.start("li")
                  .element("i", "", "class", "patch " + look(event), "aria-hidden", "true");
              html.text(event).end();
            });
    return html.end();
  }

  /** Kind by kind, so that parts which belong together lie together. */
  private List<String> inOrder() {
    List<String> events = new ArrayList<>(looks.keySet());
    events.sort(Comparator.comparingInt(each -> KINDS.indexOf(kind(each))));
    return events;
  }

  private Markup bar(Map<String, Double> parts) {
    Markup html = new Markup().start("div", "class", "parts", "aria-hidden", "true");
    double rest = 0;
    for (Map.Entry<String, Double> each : parts.entrySet()) {
      rest += looks.containsKey(each.getKey()) ? 0 : each.getValue();
    }
    inOrder().forEach(event -> part(event, parts.getOrDefault(event, 0.0), html));
    part(OTHER, rest, html);
    return html.end();
  }

  private void part(String event, double part, Markup html) {
    if (part > 0) {
      String percent = Numbers.fixed(100 * part, 0);
      String width = String.format(Locale.ROOT, "width:%.2f%%", 100 * part);
      String title = event + " " + percent + " %";
      String shown = part < LABELLED_MIN ? "" : percent;
      html.element("i", shown, "class", look(event), "style", width, "title", title);
    }
  }

  private String look(String event) {
    return looks.getOrDefault(event, OTHER);
  }

  /** What kind of event one is; those of no kind that has a colour of its own are other. */
  private static String kind(String event) {
    String kind = event.contains(":") ? event.substring(0, event.indexOf(':')) : event;
    return KINDS.contains(kind) ? kind : KINDS.getLast();
  }

  /** Means over the blocks, so that they make up a whole; an event that was not seen is nothing. */
  private static Map<String, Double> parts(Arm arm) {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (Cell cell : arm.counted()) {
      for (Figure each : cell.figures()) {
        Double percent = each.value();
        if (each.key().startsWith(PREFIX) && percent != null && percent > 0) {
          sums.merge(each.key().substring(PREFIX.length()), percent, Double::sum);
        }
      }
    }
    double whole = sums.values().stream().mapToDouble(each -> each).sum();
    sums.replaceAll((event, sum) -> sum / whole);
    return sums;
  }
}
