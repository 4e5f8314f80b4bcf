package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.Suite;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Check;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import java.io.IOException;
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

  private final ScratchDirectory parent;
  private @Nullable EmbeddedPostgres server;

  Runs() throws IOException {
    NOISY.forEach(logger -> logger.setLevel(Level.OFF));
    parent = ScratchDirectory.make();
  }

  /** Where embedded servers may be made. */
  Place embedded() {
    return new Place.Embedded(parent.path());
  }

  /** A database that suites make their schemas in; its server is started once and stays. */
  Place given() {
    EmbeddedPostgres started = server;
    if (started == null) {
      started = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(parent.path().resolve("given")));
      server = started;
    }
    return new Place.Given(started.jdbcUrl(), started.owner().user(), started.owner().password());
  }

  /** Runs a suite that must hold. */
  void held(Suite suite, Place place) {
    SuiteReport report = run(suite, Effort.SMOKE, place);
    assertThat(report.verdict()).as(rerun(report)).isEqualTo(Verdict.HELD);
  }

  /**
   * Runs a suite on something with a planted fault, which it must find, and by these checks among
   * others.
   */
  SuiteReport violated(Suite suite, Place place, String... checks) {
    return violated(suite, Effort.SMOKE, place, checks);
  }

  /** As much of it as wanted. */
  SuiteReport violated(Suite suite, Effort effort, Place place, String... checks) {
    SuiteReport report = run(suite, effort, place);
    assertThat(report.verdict()).as(rerun(report)).isEqualTo(Verdict.VIOLATED);
    assertThat(failed(report)).as(rerun(report)).contains(checks);
    return report;
  }

  /** The checks of a report that found something. */
  static List<String> failed(SuiteReport report) {
    return report.checks().stream().filter(each -> each.failed() > 0).map(Check::what).toList();
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
    parent.close();
  }
}
