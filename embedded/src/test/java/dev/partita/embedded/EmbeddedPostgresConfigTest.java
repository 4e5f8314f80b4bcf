package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EmbeddedPostgresConfigTest {

  private static Arguments wrong(
      String message, UnaryOperator<EmbeddedPostgresConfig.Builder> change) {
    return Arguments.of(message, change);
  }

  static Stream<Arguments> wrongValues() {
    return Stream.of(
        wrong("port: must be 1..65535, or left out for a free one, was 0", b -> b.port(0)),
        wrong("port: must be 1..65535, or left out for a free one, was 65536", b -> b.port(65_536)),
        wrong(
            "startupTimeout: must be between PT1S and PT24H, was PT0S",
            b -> b.startupTimeout(Duration.ZERO)),
        wrong(
            "shutdownTimeout: must be between PT1S and PT24H, was PT25H",
            b -> b.shutdownTimeout(Duration.ofHours(25))),
        wrong("serverUser: must be the name of an account, was -x", b -> b.serverUser("-x")),
        wrong("settings: fsync must be on, was off", b -> b.setting("fsync", "off")),
        wrong(
            "settings: synchronous_commit must be on, was local",
            b -> b.setting("synchronous_commit", "local")),
        wrong(
            "settings: full_page_writes must be on, was off",
            b -> b.setting("full_page_writes", "off")),
        wrong(
            "settings: zero_damaged_pages must be off, was on",
            b -> b.setting("zero_damaged_pages", "on")),
        wrong(
            "settings: wal_level must be replica or logical, was minimal",
            b -> b.setting("wal_level", "minimal")),
        wrong(
            "settings: port is decided by the embedded server itself",
            b -> b.setting("port", "5432")),
        wrong(
            "settings: listen_addresses is decided by the embedded server itself",
            b -> b.setting("listen_addresses", "*")),
        wrong(
            "settings: \"work mem\" is not the name of a server setting",
            b -> b.setting("work mem", "1MB")),
        wrong(
            "settings: \"Work_Mem\" is not the name of a server setting",
            b -> b.setting("Work_Mem", "1MB")),
        wrong(
            "settings: the value of work_mem must be one line",
            b -> b.setting("work_mem", "1\nfsync=off")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongValues")
  void refusesWrongValuesByName(
      String message, UnaryOperator<EmbeddedPostgresConfig.Builder> change) {
    EmbeddedPostgresConfig.Builder builder =
        change.apply(EmbeddedPostgresConfig.builder(Path.of("ledger")));
    assertThatThrownBy(builder::build)
        .isInstanceOf(MisuseException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void refusesTheRootOfTheFileSystem() {
    assertThatThrownBy(() -> EmbeddedPostgresConfig.in(Path.of("/")))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("must not be the root");
  }

  @Test
  void makesRelativePathsAbsolute() {
    EmbeddedPostgresConfig config =
        EmbeddedPostgresConfig.builder(Path.of("a/../ledger"))
            .binariesCache(Path.of("cache"))
            .build();
    assertThat(config.directory()).isEqualTo(Path.of("ledger").toAbsolutePath());
    assertThat(config.binariesCache()).contains(Path.of("cache").toAbsolutePath());
  }

  @Test
  void acceptsDurableSettingsThatSayTheSame() {
    EmbeddedPostgresConfig.Builder builder =
        EmbeddedPostgresConfig.builder(Path.of("ledger"))
            .setting("fsync", "on")
            .setting("wal_level", "logical")
            .setting("pg_stat_statements.max", "1000");
    assertThat(builder.build().settings()).hasSize(3);
  }
}
