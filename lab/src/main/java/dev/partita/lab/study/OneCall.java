package dev.partita.lab.study;

import dev.partita.lab.contender.OneStatement;
import dev.partita.lab.contender.ReadModifyWrite;
import dev.partita.lab.contender.StoredFunction;
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
import java.util.stream.Stream;

/** What contention costs one call and many statements. */
final class OneCall implements Experiment {

  private static final int ACCOUNTS = 100;
  private static final int CALLERS = 20;

  @Override
  public Description description() {
    return new Description(
        "E000-9",
        "One call loses less than many statements",
        "pgledger's author: from 50 to 10 accounts a function loses 29 %, where statements lose 70 % in the hot-account study.",
        "the function keeps a larger part than read-modify-write; refuted if it keeps a smaller one",
        "accounts");
  }

  @Override
  public List<Arm> arms(Profile profile) {
    List<Arm> arms = new ArrayList<>();
    for (int accounts : List.of(50, 10)) {
      Workload pool = Workload.pool(ACCOUNTS, accounts);
      arms.add(
          Arm.closed("function@" + accounts, new StoredFunction(), pool, CALLERS)
              .at("function", accounts));
      arms.add(
          Arm.closed("one-statement@" + accounts, new OneStatement(), pool, CALLERS)
              .at("one-statement", accounts));
      arms.add(
          Arm.closed("read@" + accounts, new ReadModifyWrite(), pool, CALLERS)
              .at("read-modify-write", accounts));
    }
    return arms;
  }

  @Override
  public List<Ratio> ratios(Results results) {
    return Stream.of("function", "one-statement", "read")
        .map(each -> results.ratio(each + ", 10 / 50 accounts", each + "@10", each + "@50", ""))
        .toList();
  }

  @Override
  public List<Finding> findings(Results results) {
    List<Ratio> ratios = ratios(results);
    double keeps = ratios.get(0).median() / ratios.get(2).median();
    return List.of(
        Shapes.judged(
            "what the function keeps / what read-modify-write keeps",
            "more than 1; refuted below 0.95",
            keeps,
            keeps > 1,
            keeps < 0.95,
            ""));
  }

  @Override
  public String summary(Results results) {
    List<Ratio> ratios = ratios(results);
    return "From 50 to 10 accounts the function keeps "
        + Shapes.text(ratios.get(0).median())
        + ", one statement "
        + Shapes.text(ratios.get(1).median())
        + ", read-modify-write "
        + Shapes.text(ratios.get(2).median())
        + ".";
  }
}
