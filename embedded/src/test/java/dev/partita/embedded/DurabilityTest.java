package dev.partita.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a commit is on the disk when it returns, whatever the server is told. */
class DurabilityTest {

  @TempDir(factory = OpenTempDirectory.class)
  Path parent;

  @Test
  void everyRoleCommitsDurablyByDefault() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedPostgresConfig.in(directory))) {
      for (Login login : List.of(server.owner(), server.application())) {
        assertThat(Sql.value(login, "SHOW fsync")).isEqualTo("on");
        assertThat(Sql.value(login, "SHOW synchronous_commit")).isEqualTo("on");
        assertThat(Sql.value(login, "SHOW full_page_writes")).isEqualTo("on");
        assertThat(Sql.value(login, "SHOW wal_level")).isEqualTo("replica");
        assertThat(Sql.value(login, "SHOW data_checksums")).isEqualTo("on");
        assertThat(Sql.value(login, "SHOW server_encoding")).isEqualTo("UTF8");
      }
      assertThat(
              Sql.value(
                  server.owner(),
                  "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = current_database()"))
          .isEqualTo("bC.UTF-8");
      assertThat(Sql.value(server.owner(), "SHOW shared_buffers")).isEqualTo("256MB");
      assertThat(Files.readString(server.dataDirectory().resolve("postmaster.opts")))
          .doesNotContain("\"-F\"");
    }
  }

  @Test
  void settingsOnTheCommandLineOverruleThoseInFiles() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    Files.writeString(
        directory.resolve("postgres/postgresql.auto.conf"),
        "fsync = off\nfull_page_writes = off\nsynchronous_commit = off\nlisten_addresses = '*'\n");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.builder(directory)
                .setting("max_connections", "33")
                .setting("work_mem", "7MB")
                .build())) {
      assertThat(Sql.value(server.application(), "SHOW fsync")).isEqualTo("on");
      assertThat(Sql.value(server.superuser(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(Sql.value(server.application(), "SHOW max_connections")).isEqualTo("33");
      assertThat(Sql.value(server.application(), "SHOW work_mem")).isEqualTo("7MB");
    }
  }

  @Test
  void takesBackAWeakerSettingOfItsRolesAndRefusesThatOfAnyOther() throws Exception {
    Path directory = Templates.copyTo(parent.resolve("ledger"));
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(directory);
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      Sql.execute(
          server.superuser(),
          "ALTER ROLE partita_app SET synchronous_commit = off",
          "ALTER ROLE partita_owner IN DATABASE partita SET synchronous_commit = local",
          "ALTER DATABASE partita SET synchronous_commit = off",
          "CREATE ROLE hasty LOGIN PASSWORD 'hasty'",
          "ALTER ROLE hasty SET synchronous_commit = off",
          "GRANT CONNECT ON DATABASE partita TO hasty");
      assertThat(Sql.value(server.application(), "SHOW synchronous_commit")).isEqualTo("off");
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      assertThat(Sql.value(server.application(), "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(Sql.value(server.owner(), "SHOW synchronous_commit")).isEqualTo("on");

      OwnerRecord record = OwnerRecord.read(new Home(server.directory()).record());
      Login hasty = new Login(server.jdbcUrl(), "hasty", "hasty");
      assertThatThrownBy(() -> DurabilityCheck.verify(hasty, record))
          .isInstanceOf(MisuseException.class)
          .hasMessageContaining("synchronous_commit = off for hasty where the ledger needs on");
    }
  }
}
