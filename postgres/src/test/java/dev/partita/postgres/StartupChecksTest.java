package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.MisuseException;
import dev.partita.Progress;
import dev.partita.UnavailableException;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import dev.partita.postgres.StartupChecks.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Which servers a ledger is opened on, and what it warns of. */
class StartupChecksTest {

  private static final Server GOOD =
      new Server(160_000, "16.0", false, "UTF8", true, true, true, "one, two");

  @Test
  void findsNothingToSayOfAGoodServer() {
    assertThatCode(() -> StartupChecks.requireFit(GOOD)).doesNotThrowAnyException();
    assertThat(StartupChecks.warnings(GOOD, "on")).isEmpty();
    assertThat(StartupChecks.warnings(GOOD, "remote_apply")).isEmpty();
    assertThatCode(() -> StartupChecks.requireFit(Server.read(TestServer.application())))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesServersThatCannotHoldALedger() {
    assertThatThrownBy(
            () ->
                StartupChecks.requireFit(
                    new Server(140_000, "14.9", false, "UTF8", true, true, false, "")))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("14.9");
    assertThatThrownBy(
            () ->
                StartupChecks.requireFit(
                    new Server(160_000, "16.0", false, "LATIN1", true, true, false, "")))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("LATIN1")
        .hasMessageContaining("ENCODING 'UTF8'");
  }

  @ParameterizedTest
  @CsvSource({
    "true,  true,  true,  one, off,          synchronousCommit is off",
    "true,  true,  true,  one, local,        synchronousCommit is local",
    "true,  true,  false, '',  remote_write, synchronousCommit is remote_write",
    "false, true,  false, '',  on,           fsync is off",
    "true,  false, false, '',  on,           full_page_writes is off",
    "true,  true,  true,  '',  on,           the standbys are asynchronous",
  })
  void warnsOfWhatLosesMoney(
      boolean fsync,
      boolean fullPageWrites,
      boolean hasStandbys,
      String synchronousStandbys,
      String synchronousCommit,
      String warning) {
    Server server =
        new Server(
            160_000,
            "16.0",
            false,
            "UTF8",
            fsync,
            fullPageWrites,
            hasStandbys,
            synchronousStandbys);
    assertThat(StartupChecks.warnings(server, synchronousCommit))
        .singleElement()
        .asString()
        .startsWith(warning);
  }

  /** A server that was told to be a standby recovers for ever and is read-only. */
  @Test
  void saysThatAStandbyIsOne(@TempDir Path directory) throws Exception {
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(directory);
    Path signal;
    try (EmbeddedPostgres primary = EmbeddedPostgres.start(config)) {
      PostgresSchema schema = new PostgresSchema(dataSource(primary.owner()), "ledger");
      schema.migrate();
      schema.grant(primary.application().user());
      try (PostgresLedger ledger =
          PostgresLedger.open(dataSource(primary.application()), config("ledger"))) {
        Stage.open(ledger, "world", "shop");
        ledger.post(Stage.direct("world", "shop", 1)).orThrow();
      }
      signal = primary.dataDirectory().resolve("standby.signal");
    }
    Files.createFile(signal);
    try (EmbeddedPostgres standby = EmbeddedPostgres.start(config)) {
      DataSource application = dataSource(standby.application());
      assertThatThrownBy(() -> PostgresLedger.open(application, config("ledger")))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("the server is a standby")
          .hasMessageContaining("connect to the primary");
      PostgresReads reads = new PostgresReads(application, "ledger", null);
      assertThat(reads.trialBalance().lines()).hasSize(1);
      assertThatThrownBy(() -> reads.journal(null, 10))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("this server is a standby");
      assertThatThrownBy(() -> new PostgresVerifier(application, "ledger").run(Progress.NONE))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("this server is a standby");
    }
  }

  private static PostgresConfig config(String schema) {
    return PostgresConfig.builder().schema(schema).sweepInterval(null).build();
  }

  private static DataSource dataSource(Login login) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(login.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(login.password());
    return source;
  }
}
