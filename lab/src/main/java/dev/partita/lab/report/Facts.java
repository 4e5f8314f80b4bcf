package dev.partita.lab.report;

import dev.partita.lab.contender.Card;
import dev.partita.lab.result.Cell;
import dev.partita.lab.result.Figure;
import dev.partita.lab.result.Place;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Setup;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  static Markup panels(Run run, List<Arm> arms) {
    Markup html = new Markup();
    panel("Durability", texts(run.place().durability()), html);
    panel("Load", load(run, arms), html);
    panel("What the place costs by itself", texts(baselines(run.place().baselines())), html);
    database(run.place(), html);
    panel("Machine", texts(run.place().host()), html);
    return html;
  }

  private static void panel(String title, Map<String, Markup> facts, Markup html) {
    panel(title, facts, new Markup(), html);
  }

  private static void panel(String title, Map<String, Markup> facts, Markup more, Markup html) {
    if (facts.isEmpty()) {
      return;
    }
    html.start("section", "class", "panel").element("h3", title).start("dl");
    facts.forEach((name, value) -> html.element("dt", name).start("dd").add(value).end());
    html.end().add(more).end();
  }

  private static Map<String, Markup> texts(Map<String, String> facts) {
    Map<String, Markup> texts = new LinkedHashMap<>();
    facts.forEach(
        (name, value) -> texts.put(name, new Markup().text(value.isEmpty() ? "none" : value)));
    return texts;
  }

  /** Without what is said under durability; settings whose values are not told in one line. */
  private static void database(Place place, Markup html) {
    Map<String, String> facts = new LinkedHashMap<>(place.server());
    facts.entrySet().removeAll(place.durability().entrySet());
    facts.values().removeIf(Place.UNTOLD::equals);
    List<String> untold =
        place.server().entrySet().stream()
            .filter(each -> each.getValue().equals(Place.UNTOLD))
            .map(Map.Entry::getKey)
            .toList();
    Markup more = new Markup();
    if (!untold.isEmpty()) {
      String names = String.join(", ", untold);
      more.element("p", "Other settings that are not the default: " + names + ".", "class", "fine");
    }
    panel("Database", texts(facts), more, html);
  }

  private static Map<String, Markup> load(Run run, List<Arm> arms) {
    Map<String, Markup> load = new LinkedHashMap<>();
    load.put("workload", variants(arms, Setup::workload));
    load.put("loop", variants(arms, Setup::loop));
    load.put("warm-up", variants(arms, each -> Numbers.plain(each.warmUpSeconds()) + " s"));
    load.put("measured", variants(arms, each -> Numbers.plain(each.seconds()) + " s"));
    long blocks = run.cells().stream().map(Cell::block).distinct().count();
    load.put("blocks", new Markup().text(Numbers.count(blocks)));
    Markup emulations = variants(arms, Setup::emulation);
    load.put("emulated", emulations.isEmpty() ? new Markup().text("nothing") : emulations);
    return load;
  }

  /** A fact that may differ from arm to arm: what they share, and how they differ. */
  private static Markup variants(List<Arm> arms, Function<Setup, String> fact) {
    Variants variants =
        Variants.of(
            arms.stream()
                .flatMap(each -> each.cells().stream())
                .map(each -> fact.apply(each.setup()))
                .toList());
    return variants.markup();
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

  /** The contenders in the order of their first arms. */
  static Markup cards(List<Card> cards, List<Arm> arms) {
    List<String> order = arms.stream().map(each -> each.setup().contender()).distinct().toList();
    Markup html = new Markup();
    cards.stream()
        .sorted(Comparator.comparingInt(each -> Math.floorMod(order.indexOf(each.name()), 1 << 30)))
        .forEach(each -> card(each, html));
    return html;
  }

  private static void card(Card card, Markup html) {
    html.start("article", "class", "card").element("h3", card.name());
    html.element("p", card.what());
    html.start("dl");
    html.element("dt", "lacks").element("dd", card.lacks().isEmpty() ? "nothing" : card.lacks());
    html.element("dt", "round trips").element("dd", Numbers.count(card.roundTrips()));
    html.element("dt", "isolation").element("dd", card.isolation());
    html.element("dt", "durability").element("dd", card.durability());
    boolean bounded = card.connectionsMax() < Integer.MAX_VALUE;
    html.element("dt", "connections");
    html.element("dd", bounded ? "up to " + card.connectionsMax() : "any number of callers");
    html.end().start("pre", "tabindex", "0");
    card.statements().forEach(each -> html.element("code", each.strip()));
    html.end().end();
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
