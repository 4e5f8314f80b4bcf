package dev.partita.lab.report;

import dev.partita.lab.contender.Card;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Setup;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Where and how it ran, and what the contenders are. */
final class Facts {

  private Facts() {}

  static Markup warnings(Run run) {
    Markup html = new Markup();
    if (!run.place().warnings().isEmpty()) {
      html.start("ul", "class", "warnings");
      run.place().warnings().forEach(each -> html.element("li", each));
      html.end();
    }
    return html;
  }

  static Markup panels(Run run) {
    Markup html = new Markup();
    panel("Durability", run.place().durability(), html);
    panel("Load", load(run), html);
    panel("Database", run.place().server(), html);
    panel("Machine", run.place().host(), html);
    panel("What the place costs by itself", baselines(run.place().baselines()), html);
    return html;
  }

  private static void panel(String title, Map<String, String> facts, Markup html) {
    if (facts.isEmpty()) {
      return;
    }
    html.start("section", "class", "panel").element("h3", title).start("dl");
    facts.forEach((name, value) -> html.element("dt", name).element("dd", value));
    html.end().end();
  }

  private static Map<String, String> load(Run run) {
    Map<String, String> load = new LinkedHashMap<>();
    load.put("workload", distinct(run, Setup::workload));
    load.put("loop", distinct(run, Setup::loop));
    load.put("warm-up", distinct(run, each -> Numbers.plain(each.warmUpSeconds()) + " s"));
    load.put("measured", distinct(run, each -> Numbers.plain(each.seconds()) + " s"));
    load.put("blocks", Numbers.count(run.cells().stream().map(Cell::block).distinct().count()));
    String emulations = distinct(run, Setup::emulation);
    load.put("emulated", emulations.isEmpty() ? "nothing" : emulations);
    return load;
  }

  private static String distinct(Run run, Function<Setup, String> fact) {
    Set<String> all = new LinkedHashSet<>();
    run.cells().stream().map(each -> fact.apply(each.setup())).forEach(all::add);
    all.remove("");
    return String.join("; ", all);
  }

  private static Map<String, String> baselines(List<Figure> figures) {
    Map<String, String> baselines = new LinkedHashMap<>();
    for (Figure each : figures) {
      String note = each.note().isEmpty() ? "" : " (" + each.note() + ")";
      Double value = each.value();
      String shown =
          value == null ? "not measured" : (Numbers.figure(value) + " " + each.unit()).strip();
      baselines.put(each.name(), shown + note);
    }
    return baselines;
  }

  static Markup cards(List<Card> cards) {
    Markup html = new Markup();
    for (Card each : cards) {
      html.start("article", "class", "card").element("h3", each.name());
      html.element("p", each.what());
      html.start("dl");
      html.element("dt", "lacks").element("dd", each.lacks().isEmpty() ? "nothing" : each.lacks());
      html.element("dt", "round trips").element("dd", Numbers.count(each.roundTrips()));
      html.element("dt", "isolation").element("dd", each.isolation());
      html.element("dt", "connections").element("dd", "up to " + each.connectionsMax());
      html.end();
      for (String statement : each.statements()) {
        html.start("pre", "tabindex", "0").element("code", statement.strip()).end();
      }
      html.end();
    }
    return html;
  }

  /** How to run it again, and what ran. */
  static Markup again(Run run) {
    Markup html = new Markup();
    html.start("pre", "tabindex", "0", "class", "command");
    html.element("code", run.about().command()).end();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("profile", run.about().profile());
    facts.put("seed", String.valueOf(run.about().seed()));
    facts.put("Partita", run.about().version());
    facts.put("started", run.about().started());
    facts.put("took", Numbers.count(run.about().seconds()) + " s");
    facts.put("format of the result file", String.valueOf(run.format()));
    html.start("dl", "class", "inline");
    facts.forEach(
        (name, value) -> html.start("div").element("dt", name).element("dd", value).end());
    return html.end();
  }
}
