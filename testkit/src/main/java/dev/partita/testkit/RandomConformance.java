package dev.partita.testkit;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A few short random series, so that every engine is compared with the {@link Auditor}. {@link
 * ModelCheck} says how to run more.
 */
abstract class RandomConformance {

  private static final int SEEDS = 4;
  private static final int OPERATIONS = 200;

  abstract LedgerUnderTest engine();

  static LongStream seeds() {
    return ModelCheck.seeds(1, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithTheAuditorAboutRandomOperations(long seed) {
    ModelCheck.run(engine(), seed, ModelCheck.operations(OPERATIONS));
  }
}
