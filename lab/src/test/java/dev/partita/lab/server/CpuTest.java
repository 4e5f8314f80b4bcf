package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.lab.host.HostReading;
import dev.partita.lab.host.Proc;
import dev.partita.lab.server.CpuAccount.Living;
import dev.partita.lab.server.CpuAccount.Reading;
import dev.partita.lab.server.CpuAccount.Role;
import dev.partita.lab.server.CpuAccount.Server;
import dev.partita.lab.server.LabServer.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CPU time goes to who used it, also when he has ended, and is null for a server elsewhere. */
@ExtendWith(LabServer.class)
class CpuTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void seesTheWorkOfASessionThatHasEnded(Running server) throws Exception {
    try (ServerAccount account = ServerAccount.open(server.owner(), "any")) {
      CpuAccount cpu = account.cpu();
      assertThat(cpu.serverPid()).contains(server.server().pid());
      Reading before = cpu.read();
      Running.execute(server.owner(), "SELECT sum(sqrt(i)) FROM generate_series(1, 1500000) AS i");
      account.after();
      CpuUse use = CpuUse.between(before, cpu.read(), 1_000);
      assertThat(use.backends()).isNotNull();
      assertThat(use.backends().seconds()).isPositive();
      assertThat(use.backends().microsPerTransfer())
          .isEqualTo(use.backends().seconds() * 1e6 / 1_000);
      assertThat(use.client()).isNotNull();
      assertThat(use.client().seconds()).isPositive();
      assertThat(use.otherServerSeconds()).containsKeys("checkpointer", "walwriter", "postmaster");
      assertThat(use.host().busyShare()).isBetween(0.0, 1.0);
    }
  }

  @Test
  void countsEachTickOnce() {
    Server before =
        new Server(
            10,
            100,
            Map.of(
                "1@5", new Living(Role.BACKENDS, 20),
                "2@5", new Living(Role.BACKENDS, 30),
                "3@5", new Living("checkpointer", 40),
                "4@5", new Living(Role.MONITORING, 50)));
    // Number 2 went on to 37 and ended; its number was given to a new one.
    Server after =
        new Server(
            11,
            137,
            Map.of(
                "1@5", new Living(Role.BACKENDS, 22),
                "2@9", new Living(Role.BACKENDS, 1),
                "3@5", new Living("checkpointer", 44),
                "4@5", new Living(Role.MONITORING, 58)));
    CpuUse use = CpuUse.between(reading(before, null), reading(after, null), 0);
    assertThat(use.backends()).isEqualTo(new CpuUse.Cpu(0.1, null));
    assertThat(use.otherServer()).isEqualTo(new CpuUse.Cpu(0.05, null));
    assertThat(use.monitoring()).isEqualTo(new CpuUse.Cpu(0.08, null));
    assertThat(use.otherServerSeconds()).containsEntry("checkpointer", 0.04);
  }

  @Test
  void isNullWithAReasonForAServerElsewhere() {
    ServerProcess elsewhere =
        ServerProcess.of(new ServerProcess.Session(1, "192.0.2.7", 5432L, ""), new Proc());
    assertThat(elsewhere.pid()).isNull();
    CpuUse use =
        CpuUse.between(reading(null, elsewhere.reason()), reading(null, elsewhere.reason()), 1_000);
    assertThat(use.backends()).isNull();
    assertThat(use.otherServer()).isNull();
    assertThat(use.client()).isNotNull();
    assertThat(use.notes()).anyMatch(note -> note.startsWith("CPU of the server not measured: "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgres: lab: o d 127.0.0.1(4711) idle | postgres: the right one",
        "postgres: lab: o d 127.0.0.1(4712) idle | a tunnel to another server",
        "java -jar x.jar                         | a number that means something else there",
      })
  void believesOnlyTheProcessAtTheOtherEndOfItsConnection(
      String title, String why, @TempDir Path root) throws Exception {
    process(root, 70, 60, title);
    process(root, 60, 1, "postgres -D x");
    Files.createSymbolicLink(root.resolve("self"), root.resolve("60"));
    ServerProcess found =
        ServerProcess.of(new ServerProcess.Session(70, "127.0.0.1", 4711L, "lab"), new Proc(root));
    assertThat(found.pid()).as(why).isEqualTo(title.contains("(4711)") ? 60L : null);
  }

  @ParameterizedTest
  @CsvSource({
    "postgres: lab: walwriter , walwriter",
    "postgres: lab: io worker 2, io worker",
    "postgres: lab: owner db 127.0.0.1(4711) idle, backends",
    "postgres: lab: autovacuum worker db, autovacuum worker",
    "postgres, backends",
  })
  void readsTheRoleFromTheTitle(String title, String role) {
    assertThat(Role.of(title, "lab")).isEqualTo(role);
  }

  private static void process(Path root, long pid, long parent, String title) throws Exception {
    Path directory = Files.createDirectory(root.resolve(Long.toString(pid)));
    Files.writeString(
        directory.resolve("stat"),
        "%d (postgres) S %d 1 1 0 -1 4 9 0 0 0 7 1 9 0 20 0 1 0 500 1 1 0\n"
            .formatted(pid, parent));
    Files.writeString(directory.resolve("cmdline"), title);
  }

  private static Reading reading(@Nullable Server server, @Nullable String reason) {
    return new Reading(0, 0L, server, new HostReading(null, null), reason);
  }
}
