package dev.partita.lab.report;

import dev.partita.lab.result.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What is said about figures besides their values, each once below the tables. Notes that differ
 * only in their numbers are one, with the least and the greatest of each number.
 */
final class Notes {

  /** A whole number that stands alone: neither a part of 1.5 nor of 1,500. */
  private static final Pattern NUMBER = Pattern.compile("(?<!\\d|\\d[.,])\\d{1,15}(?!\\d|[.,]\\d)");

  /** In place of a number; no text has it. */
  private static final String GAP = "\ue000";

  private final List<Arm> arms;

  /** Numbers of notes on the page, by their words; given when first referred to. */
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  /** The least and the greatest of each number in a note, by its words. */
  private final Map<String, long[][]> ranges = new LinkedHashMap<>();

  Notes(List<Arm> arms) {
    this.arms = arms;
    for (Arm arm : arms) {
      arm.counted().stream()
          .flatMap(each -> each.figures().stream())
          .map(Figure::note)
          .filter(each -> !each.isEmpty())
          .forEach(this::widen);
    }
  }

  private void widen(String note) {
    long[] found =
        NUMBER.matcher(note).results().map(MatchResult::group).mapToLong(Long::parseLong).toArray();
    long[][] known =
        ranges.computeIfAbsent(words(note), each -> new long[][] {found.clone(), found.clone()});
    for (int i = 0; i < found.length; i++) {
      known[0][i] = Math.min(known[0][i], found[i]);
      known[1][i] = Math.max(known[1][i], found[i]);
    }
  }

  /** A note without what differs from block to block. */
  private static String words(String note) {
    return NUMBER.matcher(note).replaceAll(GAP);
  }

  /** References to what is said of a figure in every arm: they stand at the head of its column. */
  Markup ofAll(String key) {
    return references(common(key));
  }

  /** References to what is said of it in this arm and not in all. */
  Markup of(Arm arm, String key) {
    List<String> common = common(key);
    return references(said(arm, key).stream().filter(each -> !common.contains(each)).toList());
  }

  boolean any(String key) {
    return arms.stream().anyMatch(each -> !said(each, key).isEmpty());
  }

  private Markup references(List<String> notes) {
    Markup html = new Markup();
    for (String note : notes) {
      int number = numbers.computeIfAbsent(note, each -> numbers.size() + 1);
      html.start("sup").element("a", String.valueOf(number), "href", "#note-" + number).end();
    }
    return html;
  }

  /** Said wherever the figure is; an arm without it says nothing about it. */
  private List<String> common(String key) {
    List<List<String>> all =
        arms.stream().filter(each -> has(each, key)).map(each -> said(each, key)).toList();
    return all.isEmpty()
        ? List.of()
        : all.getFirst().stream()
            .filter(note -> all.stream().allMatch(each -> each.contains(note)))
            .toList();
  }

  private static boolean has(Arm arm, String key) {
    return arm.counted().stream()
        .flatMap(each -> each.figures().stream())
        .anyMatch(each -> each.key().equals(key));
  }

  private static List<String> said(Arm arm, String key) {
    return arm.counted().stream()
        .flatMap(each -> each.figures().stream())
        .filter(each -> each.key().equals(key))
        .map(Figure::note)
        .filter(each -> !each.isEmpty())
        .map(Notes::words)
        .distinct()
        .toList();
  }

  /** The notes that were referred to. */
  Markup markup() {
    Markup html = new Markup();
    if (numbers.isEmpty()) {
      return html;
    }
    html.start("ol", "class", "notes");
    numbers.forEach((words, number) -> html.element("li", text(words), "id", "note-" + number));
    return html.end();
  }

  private String text(String words) {
    long[][] range = ranges.getOrDefault(words, new long[2][0]);
    String text = words;
    for (int i = 0; i < range[0].length; i++) {
      long least = range[0][i];
      long most = range[1][i];
      text = text.replaceFirst(GAP, least == most ? "" + least : least + " to " + most);
    }
    return text;
  }
}
