package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.validate.Database;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Check;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs suites, small, on embedded servers in a directory that is removed afterwards. */
final class Runs implements AutoCloseable {

  /** They say at length what breaks, which is what is wanted here. */
  private static final List<Logger> NOISY =
      List.of(
          Logger.getLogger("com.zaxxer.hikari"),
          Logger.getLogger("dev.partita.postgres"),
          Logger.getLogger("org.flywaydb"));

  private final Path parent;
  private @Nullable EmbeddedPostgres server;

  Runs() throws IOException {
    NOISY.forEach(logger -> logger.setLevel(Level.OFF));
    // Open to all: as root, the server runs as another user.
    parent =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-suites-" + System.nanoTime()));
  }

  /** Where embedded servers may be made. */
  Place embedded() {
    return new Place.Embedded(parent);
  }

  /** A database that suites make their schemas in; its server is started once and stays. */
  Place given() {
    EmbeddedPostgres started = server;
    if (started == null) {
      started = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(parent.resolve("given")));
      server = started;
    }
    return new Place.Given(started.jdbcUrl(), started.owner().user(), started.owner().password());
  }

  /** Runs a suite that must hold. */
  void held(Suite suite, Place place) {
    SuiteReport report = run(suite, Effort.SMOKE, place);
    assertThat(report.verdict()).as(rerun(report)).isEqualTo(Verdict.HELD);
  }

  /** Runs a suite on something with a planted fault, which it must find by this check. */
  void violated(Suite suite, Place place, String check) {
    violated(suite, Effort.SMOKE, place, check);
  }

  /** As much of it as wanted. */
  void violated(Suite suite, Effort effort, Place place, String check) {
    SuiteReport report = run(suite, effort, place);
    assertThat(report.verdict()).as(rerun(report)).isEqualTo(Verdict.VIOLATED);
    assertThat(report.checks())
        .as(rerun(report))
        .filteredOn(each -> each.failed() > 0)
        .extracting(Check::what)
        .contains(check);
  }

  private static SuiteReport run(Suite suite, Effort effort, Place place) {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
    SuiteReport report = Run.of(suite, seed, effort, place, Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    return report;
  }

  private static String rerun(SuiteReport report) {
    return "rerun with -Dpartita.seed=" + report.seed() + "\n" + report;
  }

  @Override
  public void close() throws IOException {
    NOISY.forEach(logger -> logger.setLevel(null));
    if (server != null) {
      server.close();
    }
    if (Files.exists(parent)) {
      Database.delete(parent);
    }
  }
}
