package dev.partita.lab.study;

import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.StoredFunction;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Emulation;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One statement against a function of many. */
final class StatementOrFunction implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final List<Integer> CLIENTS = List.of(1, 8);
  private static final List<Integer> BATCHES = List.of(1, 2);
  private static final String OFF = Emulation.COMMIT_OFF.suffix();

  private static String name(String what, int batch, int clients) {
    return what + " x" + batch + "@" + clients;
  }

  private static String size(int batch) {
    return batch == 1 ? "single" : "batches of " + batch;
  }

  @Override
  public Description description() {
    return new Description(
        "E003-1",
        "One statement beats many inside a function",
        "pledge's author: one prepared statement does 1.44 to 1.78 × what a function that works statement by statement does, commit not waiting for the disk.",
        "at least 1.2 ×, at 1 and 8 clients, single and in batches of two; refuted up to 1.0",
        "clients");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    for (int batch : BATCHES) {
      Workload uniform = Workload.uniform(ACCOUNTS).batch(batch);
      for (int clients : CLIENTS) {
        arms.add(
            Arm.closed(name("statement", batch, clients), new OneStatement(), uniform, clients)
                .at("one statement, " + size(batch), clients)
                .under(Emulation.COMMIT_OFF));
        arms.add(
            Arm.closed(name("function", batch, clients), new StoredFunction(), uniform, clients)
                .at("function, " + size(batch), clients)
                .under(Emulation.COMMIT_OFF));
      }
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (int batch : BATCHES) {
      for (int clients : CLIENTS) {
        ratios.add(
            results.ratio(
                "one statement / function, " + size(batch) + ", clients: " + clients,
                name("statement", batch, clients) + OFF,
                name("function", batch, clients) + OFF,
                ""));
      }
    }
    return ratios;
  }

  @Override
  public List<Finding> findings(Results results) {
    return ratios(results).stream().map(each -> Shapes.atLeast(each, 1.2, 1.0)).toList();
  }

  @Override
  public String summary(Results results) {
    return "One statement / function: "
        + ratios(results).stream()
            .map(each -> Shapes.text(each.median()))
            .collect(Collectors.joining(", "))
        + " (single at 1 and 8 clients, batches of two at 1 and 8).";
  }
}
