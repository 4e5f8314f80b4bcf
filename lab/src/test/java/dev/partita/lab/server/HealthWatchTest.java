package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.ScratchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes a run worthless does not go unnoticed. */
@Timeout(60)
class HealthWatchTest {

  /** One server for all of it: each step makes things worse. */
  @Test
  void noticesKilledSessionsAndARestart() throws Exception {
    try (ScratchDatabase database = LabServer.start()) {
      HealthWatch watch = HealthWatch.start(database, List.of("by administrator command"));
      assertThat(watch.check().findings()).isEmpty();
      assertThat(watch.check().diskUsedShare()).isBetween(0.0, 1.0);

      endOneSession(database, pid -> "SELECT pg_terminate_backend(" + pid + ")");
      HealthWatch strict = HealthWatch.start(database, List.of());
      endOneSession(database, pid -> "SELECT pg_terminate_backend(" + pid + ")");
      assertThat(strict.check().logLines()).hasSize(1).first().asString().contains("FATAL:  ");

      killOneSession(database);
      assertThat(strict.check().findings()).isNotEmpty();
      assertThat(strict.check().logLines()).anyMatch(line -> line.contains("signal 9"));

      EmbeddedPostgres first = database.server().orElseThrow();
      first.close();
      assertThat(watch.check().findings())
          .anyMatch(finding -> finding.startsWith("the server does not answer"));
      try (EmbeddedPostgres again =
          EmbeddedPostgres.start(
              EmbeddedPostgresConfig.builder(first.directory()).port(first.port()).build())) {
        assertThat(again.port()).isEqualTo(first.port());
        assertThat(watch.check().findings())
            .anyMatch(finding -> finding.startsWith("the server was restarted"));
      }
    }
  }

  private interface Command {
    String on(long pid);
  }

  private static void endOneSession(ScratchDatabase database, Command command) throws SQLException {
    try (Connection victim = database.owner().connect();
        Connection other = database.owner().connect()) {
      long pid = number(victim, "SELECT pg_backend_pid()");
      execute(other, command.on(pid));
      while (number(other, "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid) > 0) {
        Thread.onSpinWait();
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
      Thread.onSpinWait();
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
