package dev.partita.lab.report;

import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Place;
import dev.partita.lab.result.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where the figures of a Markdown table come from, and what a reader must know of them. */
final class Origin {

  private Origin() {}

  /** One paragraph without a line feed. */
  static String of(Run run) {
    StringBuilder out = new StringBuilder();
    out.append(run.verdict())
        .append(": `")
        .append(run.about().command().replace("`", "'").replaceAll("\\s+", " "))
        .append("`, ")
        .append(MarkdownTable.text(day(run.about().started())))
        .append(", Partita ")
        .append(MarkdownTable.text(run.about().version()))
        .append(place(run.place()))
        .append('.');
    long blocks = run.cells().stream().map(Cell::block).distinct().count();
    if (blocks > 1) {
      out.append(" Medians of ").append(blocks).append(" blocks; a ratio is the median of the");
      out.append(" blocks' own ratios.");
    }
    List<Arm> arms = Arm.of(run);
    if (!arms.isEmpty() && arms.stream().noneMatch(Arm::openLoop)) {
      out.append(" Closed loop: callers wait for their answers, so times are no claim of latency.");
    }
    for (String each : run.place().warnings()) {
      out.append(' ').append(MarkdownTable.text(sentence(each)));
    }
    return out.toString();
  }

  /** Machine and database in a few words; empty if nothing is known of them. */
  private static String place(Place place) {
    List<String> facts = new ArrayList<>();
    fact(place.host(), "processor", "", facts);
    fact(place.host(), "cores", "cores", facts);
    fact(place.host(), "memory", "", facts);
    fact(place.host(), "system", "", facts);
    String java = place.host().getOrDefault("Java", "");
    if (!java.isEmpty()) {
      facts.add("Java " + java.split("[ +]", 2)[0]);
    }
    String server = place.server().getOrDefault("PostgreSQL", "");
    if (!server.isEmpty()) {
      facts.add("PostgreSQL " + server);
    }
    for (String each : List.of("fsync", "synchronous_commit")) {
      String value = place.durability().getOrDefault(each, "");
      if (!value.isEmpty()) {
        facts.add(each + " " + value);
      }
    }
    return facts.isEmpty() ? "" : ", on " + MarkdownTable.text(String.join(", ", facts));
  }

  private static void fact(Map<String, String> from, String name, String unit, List<String> to) {
    String value = from.getOrDefault(name, "");
    if (!value.isEmpty()) {
      to.add((value + " " + unit).strip());
    }
  }

  private static String day(String started) {
    int time = started.indexOf('T');
    return time < 0 ? started : started.substring(0, time);
  }

  private static String sentence(String words) {
    String begun =
        words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    return begun.endsWith(".") ? begun : begun + ".";
  }
}
