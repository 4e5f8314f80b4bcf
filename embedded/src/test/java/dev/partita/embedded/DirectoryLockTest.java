package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.UnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  @Test
  void oneHandleAtATimeInThisJvmAndOneProcessAtATimeOnThisMachine() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(directory);
    long ownPid = ProcessHandle.current().pid();

    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(config))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("in use by this very process, pid " + ownPid);

      // After the attempt above: closing its channel would have released the lock.
      try (ChildJvm other = ChildJvm.start(ServeMain.class, directory, "close")) {
        assertThat(other.awaitLine("refused "))
            .startsWith("UnavailableException")
            .contains(directory.toString())
            .contains("in use by another process, pid " + ownPid + ", since ")
            .contains("Stop that one first, or give this one a directory of its own");
      }
      assertThat(server.isRunning()).isTrue();
    }

    EmbeddedPostgres.start(config).close();
  }

  @Test
  void aLinkToTheDirectoryIsTheSameDirectory() throws Exception {
    Home home = new Home(Files.createDirectory(parent.resolve("ledger")));
    Path link = Files.createSymbolicLink(parent.resolve("link"), home.directory());
    try (DirectoryLock lock = DirectoryLock.acquire(home)) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> DirectoryLock.acquire(Home.create(link)))
          .isInstanceOf(UnavailableException.class);
    }
    DirectoryLock.acquire(Home.create(link)).close();
  }

  @Test
  void aFailedStartReleasesTheDirectory() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgresConfig wrong =
        EmbeddedPostgresConfig.builder(directory).setting("shared_buffers", "plenty").build();
    assertThatThrownBy(() -> EmbeddedPostgres.start(wrong))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("ended while starting, with code 1")
        .hasMessageContaining("postgres.log")
        .hasMessageContaining("invalid value for parameter \"shared_buffers\": \"plenty\"");
    EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)).close();
  }
}
