package dev.partita.postgres;

import dev.partita.testkit.LedgerUnderTest;
import dev.partita.testkit.ModelCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Auditor and PostgreSQL agree over many random operations. A few short series are part of the
 * conformance suite; these are the long ones, and the only tests that do without durable commits.
 */
@Tag("slow")
class PostgresModelCheckTest {

  private static final LedgerUnderTest ENGINE = new PostgresUnderTest("off");

  static LongStream seeds() {
    return ModelCheck.seeds(1, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithTheAuditorAboutRandomOperations(long seed) {
    ModelCheck.run(ENGINE, seed, ModelCheck.operations(2_000));
  }
}
