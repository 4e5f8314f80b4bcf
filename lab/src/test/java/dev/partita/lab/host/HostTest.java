package dev.partita.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the system says is read as it is meant, and what it does not say is null. */
class HostTest {

  @TempDir private Path root;

  private void write(String name, String text) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void readsAProcessWhoseNameLooksLikeFields() throws Exception {
    write("7/stat", "7 (a) S 9 (b) R 3 1 1 0 -1 4 9 0 0 0 11 22 33 44 20 0 1 0 500 1 1 0\n");
    write("8/stat", "gone");
    Proc proc = new Proc(root);
    assertThat(proc.process(7)).contains(new Proc.Entry(7, "a) S 9 (b", 3, 500, 33, 77));
    assertThat(proc.process(8)).isEmpty();
    assertThat(proc.process(9)).isEmpty();
    assertThat(proc.children(3)).hasSize(1);
    assertThat(proc.isThere()).isFalse();
  }

  @Test
  void sharesOfTheMachineAreOfAllItsTime() throws Exception {
    write("stat", "cpu  10 0 10 100 10 0 0 10 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    write("loadavg", "1.50 0.40 0.30 1/200 999\n");
    HostReading before = HostReading.now(new Proc(root));
    write("stat", "cpu  30 0 20 150 20 5 5 20 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    HostUse use = HostUse.between(before, HostReading.now(new Proc(root)));
    assertThat(use).isEqualTo(new HostUse(50 / 110.0, 10 / 110.0, 10 / 110.0, 1.5));
  }

  @Test
  void withoutProcNothingIsZero() {
    HostReading reading = HostReading.now(new Proc(root));
    assertThat(HostUse.between(reading, reading)).isEqualTo(new HostUse(null, null, null, null));
    HostFacts facts = HostFacts.read(new Proc(root), null);
    assertThat(facts.memoryBytes()).isNull();
    assertThat(facts.processor()).isNull();
    assertThat(facts.diskFreeShare()).isNull();
    assertThat(ControlGroup.of(new Proc(root), 7, root))
        .isEqualTo(new ControlGroup(null, null, null));
  }

  @Test
  void readsLimitsOfTheFirstKindOfControlGroups() throws Exception {
    write("7/cgroup", "4:memory:/m\n3:cpu,cpuacct:/c\n1:name=systemd:/\n0::/\n");
    write("mount/cpu/c/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 3000000\n");
    write("mount/memory/m/memory.oom_control", "under_oom 0\noom_kill 1\n");
    assertThat(ControlGroup.of(new Proc(root), 7, root.resolve("mount")))
        .isEqualTo(new ControlGroup(2L, 3L, 1L));
  }

  @Test
  void readsLimitsOfTheSecondKindAlsoInsideAContainer() throws Exception {
    write("7/cgroup", "0::/../of/the/host\n");
    write("mount/cpu.stat", "usage_usec 9\nnr_throttled 4\nthrottled_usec 5000\n");
    write("mount/memory.events", "oom 9\noom_kill 6\n");
    assertThat(ControlGroup.of(new Proc(root), 7, root.resolve("mount")))
        .isEqualTo(new ControlGroup(4L, 5L, 6L));
  }

  @Test
  void namesWhatDisturbsAMeasurementAndShowsNoPath() {
    HostFacts.Jvm jvm =
        HostFacts.jvm(
            List.of(
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-Dpassword=secret",
                "-XX:HeapDumpPath=/some/where",
                "-javaagent:/some/where/spy.jar=key",
                "-agentlib:jdwp=transport=dt_socket,address=/x",
                "-XX:TieredStopAtLevel=1"),
            true);
    assertThat(jvm.assertions()).isEqualTo("on");
    assertThat(jvm.flags()).containsExactly("-Xmx1g", "-XX:+UseSerialGC");
    assertThat(jvm.debugging())
        .containsExactly("-javaagent:spy.jar", "-agentlib:jdwp", "-XX:TieredStopAtLevel");
  }
}
