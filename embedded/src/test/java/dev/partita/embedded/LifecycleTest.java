package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.partita.UnavailableException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, stopping, starting again. */
class LifecycleTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  @Test
  void keepsDataOverARestartAndLeavesNoProcess() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(directory);
    long pid;
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      pid = server.pid();
      Sql.execute(server.application(), "INSERT INTO notes VALUES (1, 'kept')");
    }
    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(directory.resolve("postgres/postmaster.pid")).doesNotExist();

    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      assertThat(Sql.value(server.application(), "SELECT text FROM notes")).isEqualTo("kept");
      assertThat(server.serverVersion()).startsWith("18.");
    }
  }

  @Test
  void closingEndsSessionsAndMayBeRepeated() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory));
    try (Connection connection = server.application().connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO notes VALUES (1, 'never committed')");
      Thread.currentThread().interrupt();
      server.close();
      assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
      assertThat(server.isRunning()).isFalse();
      server.close();
    }
    assertThat(Files.readString(server.logFile())).contains("database system is shut down");
  }

  @Test
  void worksUnderRelativePathsWithSpacesAndUmlauts() throws Exception {
    // This JVM may not know how to spell such a name: the other one gets it from a file.
    Path list = Files.writeString(parent.resolve("name.txt"), "Bücher & \"Konten\" $HOME `id` 帳簿");
    try (ChildJvm child = ChildJvm.start(OddPathMain.class, parent, list)) {
      assertThat(child.awaitLine("rows ")).isEqualTo("1");
      assertThat(child.awaitEnd()).isZero();
    }
  }

  @Test
  void usesTheGivenPortAndSaysWhenItIsTaken() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    int port;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = other.getLocalPort();
      EmbeddedPostgresConfig config = EmbeddedPostgresConfig.builder(directory).port(port).build();
      assertThatThrownBy(() -> EmbeddedPostgres.start(config))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("Port " + port + " on 127.0.0.1 is taken");
    }
    try (EmbeddedPostgres server =
        EmbeddedPostgres.start(EmbeddedPostgresConfig.builder(directory).port(port).build())) {
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.jdbcUrl()).contains("127.0.0.1:" + port + "/");
    }
  }

  @Test
  void anOrderlyEndOfTheJvmStopsTheServer() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    try (ChildJvm child = ChildJvm.start(ServeMain.class, directory, "exit")) {
      long pid = Long.parseLong(child.awaitLine("server "));
      child.terminate();
      assertThat(ProcessHandle.of(pid)).isEmpty();
    }
    try (ChildJvm child = ChildJvm.start(ServeMain.class, directory, "close")) {
      long pid = Long.parseLong(child.awaitLine("server "));
      child.closeInput();
      child.awaitLine("closed ");
      assertThat(child.awaitEnd()).isZero();
      assertThat(ProcessHandle.of(pid)).isEmpty();
    }
  }

  @Test
  void aServerLeftOnPurposeIsStoppedByTheNextStart() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    long left;
    try (ChildJvm child = ChildJvm.start(ServeMain.class, directory, "leave")) {
      left = Long.parseLong(child.awaitLine("server "));
      child.closeInput();
      child.awaitEnd();
      assertThat(HostSystem.detect().serverProcessesIn(directory.resolve("postgres")))
          .contains(left);
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(server.pid()).isNotEqualTo(left);
      assertThat(HostSystem.detect().serverProcessesIn(server.dataDirectory()))
          .doesNotContain(left);
    }
  }

  @Test
  void livesInASessionOfItsOwnSoThatTheTerminalCannotEndIt() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      String stat = Files.readString(Path.of("/proc", Long.toString(server.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      assertThat(fields[3]).as("session").isEqualTo(Long.toString(server.pid()));
    }
  }

  @Test
  void noticesTheDeathOfTheServer() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory));
    ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();
    await().atMost(PATIENCE).until(() -> !server.isRunning());
    server.close();
    EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)).close();
  }
}
