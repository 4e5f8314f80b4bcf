package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.ScratchDatabase;
import dev.partita.lab.server.LabServer.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes a run worthless does not go unnoticed. */
@ExtendWith(LabServer.class)
@Timeout(60)
class HealthWatchTest {

  /** Between two looks whether it is so: asking without end would slow the server down. */
  private static final long PAUSE_NANOS = 5_000_000;

  /** Each step makes things worse. */
  @Test
  void noticesKilledSessionsAndARestart(Running server) throws Exception {
    HealthWatch watch =
        HealthWatch.start(server.database(), List.of("due to administrator command"));
    HealthWatch strict = HealthWatch.start(server.database(), List.of());
    assertThat(watch.check().findings()).isEmpty();
    assertThat(watch.check().diskUsedShare()).isBetween(0.0, 1.0);

    endOneSession(server.database());
    assertThat(watch.check().findings()).isEmpty();
    assertThat(strict.check().logLines()).singleElement().asString().contains("FATAL:  ");

    killOneSession(server.database());
    assertThat(watch.check().findings()).anyMatch(finding -> finding.contains("alarming lines"));
    assertThat(watch.check().logLines()).anyMatch(line -> line.contains("signal 9"));

    server.server().close();
    assertThat(watch.check().findings())
        .anyMatch(finding -> finding.startsWith("the server does not answer"));
    server.startAgain();
    assertThat(watch.check().findings())
        .anyMatch(finding -> finding.startsWith("the server was restarted"));
  }

  private static void endOneSession(ScratchDatabase database) throws SQLException {
    try (Connection victim = database.owner().connect();
        Connection other = database.owner().connect()) {
      long pid = number(victim, "SELECT pg_backend_pid()");
      execute(other, "SELECT pg_terminate_backend(" + pid + ")");
      while (number(other, "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid) > 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static void killOneSession(ScratchDatabase database) throws SQLException {
    try (Connection victim = database.owner().connect()) {
      ProcessHandle process =
          ProcessHandle.of(number(victim, "SELECT pg_backend_pid()")).orElseThrow();
      process.destroyForcibly();
      process.onExit().join();
    }
    while (!answers(database)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean answers(ScratchDatabase database) {
    try (Connection connection = database.owner().connect()) {
      return connection.isValid(0);
    } catch (SQLException e) {
      return false;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "2026-01-01 10:00:00 UTC [7] PANIC:  could not write to log       | true",
        "2026-01-01 10:00:00 UTC [7] a@b lab FATAL:  too many clients     | true",
        "LOG:  server process (PID 8) was terminated by signal 9: Killed  | true",
        "LOG:  checkpoint complete                                        | false",
        "ERROR:  duplicate key                                            | false",
        "STATEMENT:  SELECT 'FATAL:  not so'                              | false",
        "DETAIL:  a process was terminated by signal                      | false",
        "\"\tFATAL:  second line of a statement\"                         | false",
      })
  void tellsAlarmsFromTalk(String line, boolean alarming) {
    assertThat(LogTail.isAlarming(line)).isEqualTo(alarming);
  }

  @Test
  void readsOnInALogThatWasMovedAside(@TempDir Path directory) throws Exception {
    Path log = Files.writeString(directory.resolve("server.log"), "FATAL:  before\nLOG:  x\n");
    LogTail tail = LogTail.from(log, List.of("expected"));
    Files.writeString(
        directory.resolve("server.log.1"),
        Files.readString(log) + "FATAL:  expected\nFATAL:  one\n");
    Files.writeString(log, "PANIC:  two\n");
    assertThat(tail.alarming()).containsExactly("FATAL:  one", "PANIC:  two");
  }
}
