package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.partita.memory.InMemoryLedger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The in-memory engine and the auditor, two programs from the same page, agree. */
class InMemoryModelCheckTest {

  static LongStream fewSeeds() {
    return ModelCheck.seeds(1, 20);
  }

  static LongStream manySeeds() {
    return ModelCheck.seeds(ModelCheck.freshSeed(), 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("fewSeeds")
  void agreesWithTheAuditor(long seed) {
    assertThatCode(() -> ModelCheck.run(InMemoryLedger::new, seed, ModelCheck.operations(500)))
        .doesNotThrowAnyException();
  }

  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("manySeeds")
  void agreesWithTheAuditorOverManySeeds(long seed) {
    assertThatCode(() -> ModelCheck.run(InMemoryLedger::new, seed, ModelCheck.operations(2_000)))
        .doesNotThrowAnyException();
  }
}
