package dev.partita.validate.suites;

import dev.partita.TransferStatus;
import dev.partita.validate.client.Journal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CrashSuiteTest {

  private static final String ONCE = "every acknowledged transfer is stored exactly once";

  private Runs runs;

  @BeforeEach
  void start() throws IOException {
    runs = new Runs();
  }

  @AfterEach
  void stop() throws IOException {
    runs.close();
  }

  @Test
  void holdsOnASoundLedger() {
    runs.held(new CrashSuite(), runs.embedded());
  }

  @Test
  @Tag("slow")
  void seesThatCommitsWhichDoNotWaitForTheDiskAreLost() {
    runs.violated(
        new CrashSuite(
            "off",
            List.of("wal_writer_delay=10000", "wal_writer_flush_after=1GB"),
            (journal, owner) -> {}),
        runs.embedded(),
        ONCE);
  }

  @Test
  @Tag("slow")
  void seesThatARecordIsMissing() {
    assertViolated(
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
                "DELETE FROM partita.transfer WHERE id = '" + acknowledged.request().id() + "'");
          }
        },
        ONCE);
  }

  @Test
  @Tag("slow")
  void seesThatSomethingIsStoredUnderAnIdThatNobodyUsed() {
    assertViolated((journal, owner) -> journal.clear(), "nothing is stored that nobody sent");
  }

  @Test
  @Tag("slow")
  void seesThatARefusedTransferIsStored() {
    assertViolated(
        (journal, owner) ->
            journal.lines().stream()
                .filter(line -> line.state() == Journal.State.RECORDED)
                .findFirst()
                .orElseThrow()
                .refuse(TransferStatus.INSUFFICIENT_FUNDS),
        "no refused transfer is stored");
  }

  private void assertViolated(CrashSuite.Tampering tampering, String check) {
    runs.violated(new CrashSuite("on", List.of(), tampering), runs.embedded(), check);
  }
}
