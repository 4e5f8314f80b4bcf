package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.validate.Database;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Standbys take over: nothing acknowledged is lost, and the suite would see it if it were. */
class FailoverSuiteTest {

  private final long seed =
      Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
  private Path parent;

  @BeforeEach
  void makeParent() throws IOException {
    // Open to all: as root, the servers run as another user.
    parent =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-failover-" + System.nanoTime()));
  }

  @AfterEach
  void removeParent() throws IOException {
    Database.delete(parent);
  }

  @Test
  void nothingIsLostWhenStandbysTakeOver() {
    SuiteReport report = run(new FailoverSuite());
    assertThat(report.verdict()).as(describe(report)).isEqualTo(Verdict.HELD);
  }

  private SuiteReport run(Suite suite) {
    SuiteReport report =
        Run.of(suite, seed, effort(), new Place.Embedded(parent), Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    return report;
  }

  private static Effort effort() {
    return Boolean.getBoolean("partita.normal") ? Effort.NORMAL : Effort.SMOKE;
  }

  private String describe(SuiteReport report) {
    return "rerun with -Dpartita.seed=" + seed + "\n" + report;
  }
}
