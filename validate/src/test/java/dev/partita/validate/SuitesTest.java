package dev.partita.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.suites.BankSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A short run of each suite, on embedded servers. */
class SuitesTest {

  private Path parent;

  @BeforeEach
  void makeParent() throws IOException {
    // Open to all: as root, the server runs as another user.
    parent =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-suites-" + System.nanoTime()));
  }

  @AfterEach
  void removeParent() throws IOException {
    if (Files.exists(parent)) {
      Database.delete(parent);
    }
  }

  @Test
  void bank() {
    held(new BankSuite());
  }

  private void held(Suite suite) {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
    SuiteReport report =
        Run.of(suite, seed, Effort.SMOKE, new Place.Embedded(parent), Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    assertThat(report.verdict())
        .as("rerun with -Dpartita.seed=" + seed + "\n" + report)
        .isEqualTo(Verdict.HELD);
  }
}
