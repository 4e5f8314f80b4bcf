package dev.partita.cli.lab;

import dev.partita.cli.output.Output;
import dev.partita.cli.output.Table;
import dev.partita.cli.output.Terminal;
import dev.partita.lab.contender.Card;
import dev.partita.lab.contender.Contender;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.study.Contenders;
import dev.partita.lab.study.Experiments;
import dev.partita.lab.study.Guests;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What can be run, and who can be asked. */
public final class LabCatalogue {

  /** The longest name of a contender, and the gap after it. */
  private static final int NAME_COLUMNS = 24;

  /** What is run with options that say whom to ask, and has no claim to look at. */
  private static final List<Line> ONE_CONTENDER =
      List.of(
          new Line("rate", "How long one contender takes at an offered rate (--target, --rate)"),
          new Line("knee", "The highest rate at which one keeps a promise (--target, --p99)"));

  /** A name and what there is to say of it. */
  private record Line(String name, String words) {}

  private LabCatalogue() {}

  private static List<Experiment.Description> experiments() {
    return Experiments.all(Guests.NONE).stream().map(Experiment::description).toList();
  }

  private static List<Card> cards() {
    return Contenders.all().stream().map(Contender::card).toList();
  }

  /**
   * For people.
   *
   * @param columns that a line may have
   */
  public static void print(Terminal terminal, int columns) {
    List<Line> lines = new ArrayList<>();
    experiments().forEach(each -> lines.add(new Line(each.name(), each.title())));
    lines.addAll(ONE_CONTENDER);
    new Table<Line>()
        .left("EXPERIMENT", Line::name)
        .left("WHAT IT SHOWS", Line::words)
        .print(terminal, lines);
    terminal.out().println();
    List<Line> contenders = new ArrayList<>();
    for (Card each : cards()) {
      List<String> words = wrapped(each.what(), columns - NAME_COLUMNS);
      if (!each.lacks().isEmpty()) {
        words.addAll(wrapped("(" + each.lacks() + ")", columns - NAME_COLUMNS));
      }
      String name = each.name();
      for (String line : words) {
        contenders.add(new Line(name, line));
        name = "";
      }
    }
    new Table<Line>()
        .left("CONTENDER", Line::name)
        .left("WHAT IT DOES", Line::words)
        .print(terminal, contenders);
    terminal.out().println();
    terminal
        .out()
        .println(
            "pgledger and tigerbeetle take part where --pgledger and --tigerbeetle name them.");
    terminal.out().println("Run one: partita lab run hot. More: partita lab run --help");
  }

  private static List<String> wrapped(String text, int columns) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        lines.add(line);
        line = "";
      }
      line = line.isEmpty() ? word : line + " " + word;
    }
    lines.add(line);
    return lines;
  }

  /** For programs. */
  public static ObjectNode document() {
    ObjectNode node = Output.object();
    ArrayNode experiments = node.putArray("experiments");
    for (Experiment.Description each : experiments()) {
      experiments
          .addObject()
          .put("name", each.name())
          .put("title", each.title())
          .put("claim", each.claim())
          .put("expected", each.expected());
    }
    ArrayNode searches = node.putArray("ofOneContender");
    ONE_CONTENDER.forEach(
        each -> searches.addObject().put("name", each.name()).put("title", each.words()));
    ArrayNode contenders = node.putArray("contenders");
    for (Card each : cards()) {
      ObjectNode contender =
          contenders
              .addObject()
              .put("name", each.name())
              .put("what", each.what())
              .put("lacks", each.lacks())
              .put("roundTrips", each.roundTrips())
              .put("isolation", each.isolation());
      ArrayNode statements = contender.putArray("statements");
      each.statements().forEach(statements::add);
    }
    return node;
  }
}
