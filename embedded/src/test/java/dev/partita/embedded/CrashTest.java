package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills without warning; whatever was acknowledged must be there afterwards. */
class CrashTest {

  private static final Pattern COMMITTED = Pattern.compile("committed (\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WRITERS = 4;
  private static final long NUMBERS_PER_ROUND = 10_000_000;

  /** Who is killed, in this order, with nothing in between. */
  private enum Kill {
    JVM,
    SERVER,
    JVM_THEN_SERVER,
    EVERYTHING
  }

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  private final HostSystem host = HostSystem.detect();

  @Test
  void everyAcknowledgedRowSurvivesEveryKindOfKill() throws Exception {
    runRounds(List.of(Kill.values()), 150);
  }

  @Test
  @Tag("slow")
  void everyAcknowledgedRowSurvivesManyKillsAtRandomMoments() throws Exception {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong());
    System.getLogger("test")
        .log(System.Logger.Level.WARNING, "rerun with -Dpartita.seed={0}", Long.toString(seed));
    java.util.Random random = new java.util.Random(seed);
    for (int series = 0; series < 5; series++) {
      List<Kill> kills = new ArrayList<>();
      for (int round = 0; round < 8; round++) {
        kills.add(Kill.values()[random.nextInt(Kill.values().length)]);
      }
      runRounds(kills, 1 + random.nextInt(3_000));
    }
  }

  private void runRounds(List<Kill> kills, int rowsPerRound) throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger-" + System.nanoTime()));
    Set<String> acknowledged = new HashSet<>();
    int round = 0;
    for (Kill kill : kills) {
      try (ChildJvm child =
          ChildJvm.start(LoadMain.class, directory, NUMBERS_PER_ROUND * round++, WRITERS)) {
        long server = Long.parseLong(child.awaitLine("server "));
        await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> child.count("committed ") >= rowsPerRound);
        kill(kill, child, server, directory);
        child.kill();
        for (String line : child.lines()) {
          Matcher committed = COMMITTED.matcher(line);
          if (committed.matches()) {
            acknowledged.add(committed.group(1));
          }
        }
      }
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      Set<String> present = new HashSet<>(Sql.column(server.application(), "SELECT id FROM notes"));
      assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(kills.size() * rowsPerRound);
      assertThat(present).containsAll(acknowledged);
      // One row per writer and round may have been committed without anyone hearing of it.
      assertThat(present.size() - acknowledged.size()).isBetween(0, WRITERS * kills.size());
    }
  }

  private void kill(Kill kill, ChildJvm child, long server, Path directory) throws Exception {
    switch (kill) {
      case JVM -> child.kill();
      case SERVER -> sigkill(server);
      case JVM_THEN_SERVER -> {
        child.kill();
        sigkill(server);
      }
      case EVERYTHING -> {
        List<Long> all = host.serverProcessesIn(directory.resolve("postgres"));
        child.kill();
        all.forEach(CrashTest::sigkill);
      }
    }
  }

  private static void sigkill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void aJvmThatWasKilledLeavesAServerThatTheNextStartStopsInGoodOrder() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    long orphan;
    try (ChildJvm child = ChildJvm.start(LoadMain.class, directory, 0, 1)) {
      orphan = Long.parseLong(child.awaitLine("server "));
      child.awaitLine("committed ");
      child.kill();
    }
    assertThat(host.serverProcessesIn(directory.resolve("postgres"))).contains(orphan);
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(host.serverProcessesIn(server.dataDirectory())).doesNotContain(orphan);
      assertThat(Files.readString(server.logFile()))
          .contains("received fast shutdown request")
          .doesNotContain("was not properly shut down");
    }
  }

  @Test
  void aJvmKilledWhileItsServerStartsIsNoHindrance() throws Exception {
    killWhileStarting(Templates.copyTo(parent.resolve("ledger")), 1);
  }

  @Test
  @Tag("slow")
  void aJvmKilledWhileItsServerStartsIsNoHindranceOverAndOver() throws Exception {
    killWhileStarting(Templates.copyTo(parent.resolve("ledger")), 20);
  }

  /** The server has been started and may not have written its file yet: the start must meet it. */
  private static void killWhileStarting(Path directory, int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      try (ChildJvm child = ChildJvm.start(LoadMain.class, directory, 0, 0)) {
        await()
            .atMost(PATIENCE)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .until(child::hasStartedServer);
        child.kill();
      }
      EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)).close();
    }
  }

  @Test
  void waitsForSessionsOfAKilledServerAndTellsABusyOneToQuit() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory));
    long busy = Long.parseLong(startComputing(server));
    sigkill(server.pid());
    await().atMost(PATIENCE).until(() -> !server.isRunning());
    server.close();
    assertThat(host.serverProcessesIn(directory.resolve("postgres"))).contains(busy);

    try (EmbeddedPostgres next = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(host.serverProcessesIn(next.dataDirectory())).doesNotContain(busy);
    }
  }

  /** A session that computes for minutes, and so does not look whether its server still lives. */
  private static String startComputing(EmbeddedPostgres server) throws Exception {
    Connection connection = server.application().connect();
    Statement statement = connection.createStatement();
    String pid = Sql.value(server.application(), "SELECT 1");
    try (var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      pid = row.getString(1);
    }
    Thread.ofVirtual()
        .start(
            () -> {
              try (connection;
                  statement) {
                statement.execute(
                    "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b");
              } catch (java.sql.SQLException expected) {
                System.getLogger("test")
                    .log(System.Logger.Level.DEBUG, "the session ended", expected);
              }
            });
    String query = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid = " + pid;
    await().atMost(PATIENCE).until(() -> Sql.value(server.owner(), query).equals("1"));
    return pid;
  }

  @Test
  void neverTouchesAnotherProgramThatHasTheNumberOfAStaleFile() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    long server;
    try (ChildJvm child = ChildJvm.start(LoadMain.class, directory, 0, 1)) {
      server = Long.parseLong(child.awaitLine("server "));
      child.awaitLine("committed ");
      child.kill();
      sigkill(server);
    }
    Path file = directory.resolve("postgres/postmaster.pid");
    await()
        .atMost(PATIENCE)
        .until(() -> host.serverProcessesIn(directory.resolve("postgres")).isEmpty());

    // The same account as the server: PostgreSQL alone would take this for a running server.
    Process bystander =
        new ProcessBuilder(
                ServerUser.choose(host, directory.resolve("postgres"), java.util.Optional.empty())
                    .command(List.of("sleep", "600")))
            .start();
    try {
      Files.writeString(
          file, Files.readString(file).replaceFirst("^\\d+", Long.toString(bystander.pid())));
      try (EmbeddedPostgres next = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
        assertThat(Sql.value(next.application(), "SELECT count(*) > 0 FROM notes")).isEqualTo("t");
      }
      assertThat(bystander.isAlive()).isTrue();
    } finally {
      bystander.destroyForcibly();
    }
  }

  @Test
  void doesNotMistakeAShellInTheDataDirectoryForAServer() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")));
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Path data = directory.resolve("postgres");
    Process shell = new ProcessBuilder("sleep", "600").directory(data.toFile()).start();
    try {
      assertThat(host.serverProcessesIn(data)).isEmpty();
    } finally {
      shell.destroyForcibly();
    }
  }
}
