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
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What can be run, and who can be asked. */
public final class LabCatalogue {

  private LabCatalogue() {}

  private static List<Experiment.Description> experiments() {
    return Experiments.all(Guests.NONE).stream().map(Experiment::description).toList();
  }

  private static List<Card> cards() {
    return Contenders.all().stream().map(Contender::card).toList();
  }

  /** For people. */
  public static void print(Terminal terminal) {
    new Table<Experiment.Description>()
        .left("EXPERIMENT", Experiment.Description::name)
        .left("WHAT IT SHOWS", Experiment.Description::title)
        .print(terminal, experiments());
    terminal.out().println();
    new Table<Card>()
        .left("CONTENDER", Card::name)
        .left("WHAT IT DOES", Card::what)
        .print(terminal, cards());
    terminal.out().println();
    terminal.out().println("Run one: partita lab run hot. More: partita lab run --help");
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
