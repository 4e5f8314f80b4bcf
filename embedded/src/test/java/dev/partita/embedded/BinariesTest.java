package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  private final HostSystem host = HostSystem.detect();

  private static List<String> names(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void twoProcessesMayUnpackAtOnceAndLeaveOneCopy() throws Exception {
    Path cache = parent.resolve("new").resolve("cache");
    try (ChildJvm first = ChildJvm.start(UnpackMain.class, cache);
        ChildJvm second = ChildJvm.start(UnpackMain.class, cache)) {
      first.awaitLine("waiting");
      second.awaitLine("waiting");
      first.closeInput();
      second.closeInput();
      String root = first.awaitLine("unpacked ");
      assertThat(second.awaitLine("unpacked ")).isEqualTo(root);
      assertThat(first.awaitEnd() + second.awaitEnd()).isZero();
    }
    assertThat(names(cache)).singleElement().asString().startsWith("postgres-linux-");

    Binaries binaries = Binaries.prepare(host, Optional.of(cache));
    assertThat(binaries.version()).startsWith("18.");
    assertThat(binaries.major()).isEqualTo(18);
    assertThat(binaries.postgres()).isExecutable();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(binaries.initdb())))
        .isEqualTo("rwxr-xr-x");
  }

  @Test
  void neverRunsProgramsThatAnotherUserCouldHavePlaced() throws Exception {
    Path cache = Files.createDirectory(parent.resolve("cache"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> Binaries.prepare(host, Optional.of(cache)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining(cache + " belongs to another user or can be written to by one")
        .hasMessageContaining("Set binariesCache");
    assertThat(names(cache)).isEmpty();
  }

  @Test
  void saysWhenTheCacheCannotBeMade() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");
    assertThatThrownBy(() -> Binaries.prepare(host, Optional.of(file.resolve("cache"))))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("no usable cache directory");
  }
}
