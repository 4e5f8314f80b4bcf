package dev.partita.lab.study;

import dev.partita.lab.contender.Contender;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.contender.PartitaHttp;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** What it costs to ask over HTTP what could be asked in the process. */
final class OverHttp implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CALLERS = 64;
  private static final int BATCH = 100;
  private static final int BATCH_CALLERS = 16;
  private static final String BATCHES = ", batches of " + BATCH;
  private static final String IN_PROCESS = "in process";
  private static final String HTTP = "over HTTP";
  private static final String JAVA = "PartitaClient";

  private static final double SHARE_SHOWN = 0.5;
  private static final double SHARE_REFUTED = 0.4;

  @Override
  public Description description() {
    return new Description(
        "http",
        "Over HTTP",
        "A service of its own costs some of what one machine can do, and not most of it.",
        "64 connections to one hot account do at least half of what 64 callers in the process do, and"
            + " batches of 100 at least half of theirs; refuted below 0.40",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload hot = Workload.hot(ACCOUNTS);
    List<Arm> arms = new ArrayList<>();
    both(arms, IN_PROCESS, new Partita(), hot);
    both(arms, HTTP, new PartitaHttp(PartitaHttp.Client.PLAIN), hot);
    both(arms, JAVA, new PartitaHttp(PartitaHttp.Client.JAVA), hot);
    return arms;
  }

  private static void both(List<Arm> arms, String name, Contender contender, Workload hot) {
    arms.add(Arm.closed(name, contender, hot, CALLERS));
    arms.add(Arm.closed(name + BATCHES, contender, hot.batch(BATCH), BATCH_CALLERS));
  }

  @Override
  public List<Ratio> ratios(Results results) {
    List<Ratio> ratios = new ArrayList<>();
    for (String way : List.of("", BATCHES)) {
      ratios.add(ratio(results, HTTP, way, "at least 0.50"));
      ratios.add(ratio(results, JAVA, way, ""));
    }
    return ratios;
  }

  private static Ratio ratio(Results results, String arm, String way, String wanted) {
    return results.ratio(arm + " / " + IN_PROCESS + way, arm + way, IN_PROCESS + way, wanted);
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Finding> findings = new ArrayList<>();
    for (String way : List.of("", BATCHES)) {
      findings.add(Shapes.atLeast(ratio(results, HTTP, way, ""), SHARE_SHOWN, SHARE_REFUTED));
    }
    return findings;
  }

  @Override
  public String summary(Results results) {
    return "A transfer of one hot account costs, in µs of processor time: over HTTP "
        + cpu(results, HTTP)
        + "; through PartitaClient "
        + cpu(results, JAVA)
        + "; in process "
        + Shapes.text(results.figure(IN_PROCESS, "cpu_client_per_transfer"))
        + ", engine and callers together. In batches of "
        + BATCH
        + ": over HTTP "
        + cpu(results, HTTP + BATCHES)
        + "; in process "
        + Shapes.text(results.figure(IN_PROCESS + BATCHES, "cpu_client_per_transfer"))
        + ".";
  }

  private static String cpu(Results results, String arm) {
    return Shapes.text(results.figure(arm, "cpu_process_per_transfer"))
        + " in the server and "
        + Shapes.text(results.figure(arm, "cpu_client_per_transfer"))
        + " in the clients";
  }
}
