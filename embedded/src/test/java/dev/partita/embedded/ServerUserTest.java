package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.partita.MisuseException;
import dev.partita.embedded.HostSystem.Account;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which account the server runs as. What only root can try is skipped for others. */
class ServerUserTest {

  /** An ordinary user: any number will do, it needs no name. */
  private static final Account STRANGER = new Account(54_321, 54_321);

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  private final HostSystem host = HostSystem.detect();

  @BeforeEach
  void onlyAsRoot() {
    assumeTrue(host.isRoot(), "needs root");
  }

  @Test
  void asRootTheServerRunsAsAnotherUserThatCannotReadThePasswords() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      Account account = HostSystem.ownerOf(Path.of("/proc", Long.toString(server.pid())));
      assertThat(account.uid()).isNotZero();
      assertThat(HostSystem.ownerOf(server.dataDirectory())).isEqualTo(account);
      assertThat(HostSystem.ownerOf(new Home(directory).credentials()).uid()).isZero();
    }
  }

  @Test
  void bothWaysToStepDownWork() throws Exception {
    List<List<String>> drops = host.privilegeDrops(STRANGER.uid(), STRANGER.gid());
    assertThat(drops).isNotEmpty();
    for (List<String> drop : drops) {
      List<String> command = new ArrayList<>(drop);
      command.addAll(List.of("id", "-G"));
      assertThat(Commands.run(command, Duration.ofSeconds(10)).output().strip())
          .as("%s", drop)
          .isEqualTo(Long.toString(STRANGER.gid()));
    }
  }

  @Test
  void anOrdinaryUserNeedsNoOtherUser() throws Exception {
    Path home = Files.createDirectory(parent.resolve("home"));
    HostSystem.changeOwner(home, STRANGER);
    Path directory = home.resolve("ledger");
    List<String> environment = List.of("XDG_CACHE_HOME=" + home.resolve("cache"));
    Templates.copyTo(directory);
    giveTo(STRANGER, directory);

    try (ChildJvm child =
        ChildJvm.startAs(STRANGER.uid(), environment, LoadMain.class, directory, 0, 1)) {
      long server = Long.parseLong(child.awaitLine("server "));
      assertThat(HostSystem.ownerOf(Path.of("/proc", Long.toString(server)))).isEqualTo(STRANGER);
      child.awaitLine("committed ");
      child.kill();
    }
    // The orphan is recognised without root's rights, too.
    try (ChildJvm child =
        ChildJvm.startAs(STRANGER.uid(), environment, ServeMain.class, directory, "close")) {
      child.awaitLine("server ");
      child.closeInput();
      child.awaitLine("closed ");
    }
  }

  @Test
  void anOrdinaryUserMakesADatabaseAndIsToldWhenADirectoryIsNotWritable() throws Exception {
    Account nobody = host.account("nobody").orElseThrow();
    Path home = Files.createDirectory(parent.resolve("home"));
    HostSystem.changeOwner(home, nobody);
    serveAndClose(nobody, home.resolve("ledger")).awaitLine("closed ");

    Path closed = Files.createDirectory(parent.resolve("closed"));
    Path readOnly = Files.createDirectory(parent.resolve("read-only"));
    for (Path directory : List.of(closed.resolve("ledger"), readOnly)) {
      assertThat(serveAndClose(nobody, directory).awaitLine("refused "))
          .startsWith("MisuseException")
          .contains("The directory " + directory + " cannot be used: permission denied for")
          .contains("Choose a directory this user can write to");
    }
  }

  @Test
  void anAccountWithoutANameIsToldWhatToDo() throws Exception {
    Path home = Files.createDirectory(parent.resolve("home"));
    HostSystem.changeOwner(home, STRANGER);
    assertThat(serveAndClose(STRANGER, home.resolve("ledger")).awaitLine("refused "))
        .startsWith("MisuseException")
        .contains("this one has only a number")
        .contains("add the account to /etc/passwd");
  }

  private static ChildJvm serveAndClose(Account account, Path directory) throws Exception {
    try (ChildJvm child =
        ChildJvm.startAs(account.uid(), List.of(), ServeMain.class, directory, "close")) {
      child.closeInput();
      child.awaitEnd();
      return child;
    }
  }

  @Test
  void rootIsToldWhenTheServersUserCannotReachTheDirectory() throws Exception {
    Path closed =
        Files.createDirectory(
            parent.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    assertThatThrownBy(
            () -> EmbeddedPostgres.start(EmbeddedPostgresConfig.in(closed.resolve("ledger"))))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("because " + closed + " is closed to other users")
        .hasMessageContaining("put the ledger's directory under one that every user can enter");
  }

  @Test
  void rootKeepsOutOfDirectoriesOfOthers() throws Exception {
    Path directory = Files.createDirectory(parent.resolve("ledger"));
    HostSystem.changeOwner(directory, STRANGER);
    assertThatThrownBy(() -> EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("belongs to account number 54321 and this program runs as root");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void existingDataKeepTheirOwner() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    giveTo(STRANGER, directory.resolve("postgres"));
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      assertThat(HostSystem.ownerOf(Path.of("/proc", Long.toString(server.pid()))))
          .isEqualTo(STRANGER);
    }
    EmbeddedPostgresConfig other =
        EmbeddedPostgresConfig.builder(directory).serverUser("nobody").build();
    assertThatThrownBy(() -> EmbeddedPostgres.start(other))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("belongs to account number 54321, and serverUser is number");

    giveTo(new Account(0, 0), directory.resolve("postgres"));
    assertThatThrownBy(() -> EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("was it copied?");
  }

  @Test
  void refusesAnAccountThatDoesNotExistOrIsRoot() {
    for (String name : List.of("root", "no-such-account")) {
      EmbeddedPostgresConfig config =
          EmbeddedPostgresConfig.builder(parent.resolve("ledger")).serverUser(name).build();
      assertThatThrownBy(() -> EmbeddedPostgres.start(config))
          .isInstanceOf(MisuseException.class)
          .hasMessageStartingWith("serverUser: ");
    }
  }

  private static void giveTo(Account account, Path root) throws Exception {
    int exitCode =
        new ProcessBuilder("chown", "-R", account.uid() + ":" + account.gid(), root.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(exitCode).isZero();
  }
}
