package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.TransferStatus;
import dev.partita.validate.Database;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import dev.partita.validate.client.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CrashSuiteTest {

  private static final String ONCE = "every acknowledged transfer is stored exactly once";

  private Path parent;

  @BeforeEach
  void makeParent() throws IOException {
    // Open to all: as root, the server runs as another user.
    parent =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-crash-" + System.nanoTime()));
  }

  @AfterEach
  void removeParent() throws IOException {
    if (Files.exists(parent)) {
      Database.delete(parent);
    }
  }

  @Test
  void holdsOnASoundLedger() {
    SuiteReport report = run(new CrashSuite());
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.HELD);
  }

  @Test
  @Tag("slow")
  void seesThatCommitsWhichDoNotWaitForTheDiskAreLost() {
    assertViolated(
        run(
            new CrashSuite(
                "off",
                List.of("wal_writer_delay=10000", "wal_writer_flush_after=1GB"),
                (journal, owner) -> {})),
        ONCE);
  }

  @Test
  @Tag("slow")
  void seesThatARecordIsMissing() {
    assertViolated(
        tampered(
            (journal, owner) -> {
              Journal.Line acknowledged =
                  journal.lines().stream()
                      .filter(line -> line.state() == Journal.State.RECORDED)
                      .findFirst()
                      .orElseThrow();
              try (Connection connection = owner.getConnection();
                  Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE partita.transfer DISABLE TRIGGER USER");
                statement.execute(
                    "DELETE FROM partita.transfer WHERE id = '"
                        + acknowledged.request().id()
                        + "'");
              }
            }),
        ONCE);
  }

  @Test
  @Tag("slow")
  void seesThatSomethingIsStoredUnderAnIdThatNobodyUsed() {
    assertViolated(
        tampered((journal, owner) -> journal.clear()), "nothing is stored that nobody sent");
  }

  @Test
  @Tag("slow")
  void seesThatARefusedTransferIsStored() {
    assertViolated(
        tampered(
            (journal, owner) ->
                journal.lines().stream()
                    .filter(line -> line.state() == Journal.State.RECORDED)
                    .findFirst()
                    .orElseThrow()
                    .refuse(TransferStatus.INSUFFICIENT_FUNDS)),
        "no refused transfer is stored");
  }

  private SuiteReport tampered(CrashSuite.Tampering tampering) {
    return run(new CrashSuite("on", List.of(), tampering));
  }

  private SuiteReport run(CrashSuite suite) {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
    SuiteReport report =
        Run.of(suite, seed, Effort.SMOKE, new Place.Embedded(parent), Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    return report;
  }

  private static void assertViolated(SuiteReport report, String what) {
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.VIOLATED);
    assertThat(report.checks())
        .as(report.toString())
        .anySatisfy(
            check -> {
              assertThat(check.what()).isEqualTo(what);
              assertThat(check.failed()).isPositive();
            });
  }
}
