package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLogTest {

  @TempDir Path directory;

  private Path file;
  private ServerLog log;

  @BeforeEach
  void setUp() {
    file = directory.resolve("postgres.log");
    log = new ServerLog(file);
  }

  @Test
  void makesAFileThatOnlyItsOwnerCanRead() throws Exception {
    assertThat(log.prepare()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void keepsTheFileWhileItIsSmall() throws Exception {
    Files.writeString(file, "12345");
    log.bound(5);
    assertThat(file).hasContent("12345");
    assertThat(directory.resolve("postgres.log.1")).doesNotExist();
  }

  @Test
  void movesTheContentAsideWhileTheServerGoesOnAppending() throws Exception {
    log.prepare();
    try (OutputStream server = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
      server.write("before\n".getBytes(StandardCharsets.UTF_8));
      log.bound(5);
      server.write("after\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(directory.resolve("postgres.log.1")).hasContent("before\n");
    assertThat(file).hasContent("after\n");
  }

  @Test
  void showsTheLastLinesOfThisRun() throws Exception {
    Files.writeString(file, "an earlier run\n");
    long start = log.prepare();
    Files.writeString(file, "line\n".repeat(5_000) + "the end\n", StandardOpenOption.APPEND);
    assertThat(log.tail(start).lines()).hasSizeLessThan(20).last().isEqualTo("the end");
    assertThat(log.tail(start)).doesNotContain("an earlier run");
  }

  @Test
  void showsSomethingWhenTheFileWasEmptiedOrIsMissing() throws Exception {
    assertThat(log.tail(0)).isEqualTo("(no log yet)");
    Files.writeString(file, "new\n");
    assertThat(log.tail(1_000)).isEqualTo("new");
  }
}
