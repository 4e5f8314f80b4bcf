package dev.partita.lab.study;

import dev.partita.lab.contender.Naive;
import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.Partita;
import dev.partita.lab.contender.StoredFunction;
import dev.partita.lab.experiment.Arm;
import dev.partita.lab.experiment.Experiment;
import dev.partita.lab.experiment.Profile;
import dev.partita.lab.experiment.Results;
import dev.partita.lab.experiment.Shapes;
import dev.partita.lab.result.Finding;
import dev.partita.lab.result.Ratio;
import dev.partita.lab.workload.Workload;
import java.util.List;
import java.util.stream.Collectors;

/** What one transfer takes on disk. */
final class BytesPerTransfer implements Experiment {

  private static final int ACCOUNTS = 10_000;
  private static final int CLIENTS = 8;
  private static final int BATCH = 100;
  private static final String BYTES = "bytes_per_transfer";
  private static final List<String> ARMS =
      List.of("16-byte ids", "text ids", "function", "naive", "partita");

  @Override
  public Description description() {
    return new Description(
        "E003-4",
        "Ids as 16 bytes take less room than as text",
        "pledge's author: 627 bytes a transfer with its entries where pgledger, with text ids, takes 748.",
        "16-byte ids take at most 0.90 of the bytes of text ids (study 0.84); refuted above 1.0",
        "");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    Workload batches = Workload.uniform(ACCOUNTS).batch(BATCH);
    return List.of(
        Arm.closed("16-byte ids", new OneStatement(), batches, CLIENTS),
        Arm.closed("text ids", new OneStatement().textIds(), batches, CLIENTS),
        Arm.closed("function", new StoredFunction(), batches, CLIENTS),
        Arm.closed("naive", new Naive(Naive.Order.HOT_FIRST), batches, CLIENTS),
        Arm.closed("partita", new Partita(), batches, CLIENTS));
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return List.of(
        results.ratio(
            "bytes a transfer, 16-byte ids / text ids",
            "16-byte ids",
            "text ids",
            "",
            each -> each.figure(BYTES).orElse(Double.NaN)),
        results.ratio(
            "bytes a transfer, Partita / 16-byte ids",
            "partita",
            "16-byte ids",
            "",
            each -> each.figure(BYTES).orElse(Double.NaN)));
  }

  @Override
  public List<Finding> findings(Results results) {
    return List.of(Shapes.atMost(ratios(results).getFirst(), 0.90, 1.0));
  }

  @Override
  public String summary(Results results) {
    return "Bytes a transfer after VACUUM: "
        + ARMS.stream()
            .map(each -> each + " " + Shapes.text(results.figure(each, BYTES)))
            .collect(Collectors.joining(", "))
        + ".";
  }
}
