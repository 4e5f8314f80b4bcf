package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
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
import java.util.random.RandomGenerator;

/** One server for the short runs of a test class, each in a schema of its own. */
final class SharedServer implements AutoCloseable {

  private final Path directory;
  private final EmbeddedPostgres server;

  SharedServer() throws IOException {
    // Not a temporary directory: those are closed to the unprivileged user a server may run as.
    directory =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-suites-" + System.nanoTime()));
    server = EmbeddedPostgres.start(EmbeddedPostgresConfig.builder(directory).build());
  }

  SuiteReport run(Suite suite) {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
    Login login = server.owner();
    SuiteReport report =
        Run.of(
            suite,
            seed,
            Effort.SMOKE,
            new Place.Given(login.jdbcUrl(), login.user(), login.password()),
            Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    return report;
  }

  /** Runs a suite that must hold. */
  void holds(Suite suite) {
    SuiteReport report = run(suite);
    assertThat(report.verdict()).as(text(report)).isEqualTo(Verdict.HELD);
  }

  /** Runs a suite on a fault, which must be found, and by these checks among others. */
  void finds(Suite suite, String... checks) {
    SuiteReport report = run(suite);
    assertThat(report.verdict()).as(text(report)).isEqualTo(Verdict.VIOLATED);
    assertThat(report.checks().stream().filter(each -> each.failed() > 0).map(Check::what))
        .as(text(report))
        .contains(checks);
  }

  private static String text(SuiteReport report) {
    return "rerun with -Dpartita.seed=" + report.seed() + "\n" + report;
  }

  @Override
  public void close() throws IOException {
    server.close();
    Database.delete(directory);
  }
}
