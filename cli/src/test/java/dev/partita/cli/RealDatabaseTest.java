package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.cli.connect.PostgresSource;
import dev.partita.embedded.EmbeddedPostgres;
import dev.partita.embedded.EmbeddedPostgresConfig;
import dev.partita.embedded.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Commands on a real PostgreSQL: the embedded one, and one given by its address. */
class RealDatabaseTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Commands commands = new Commands(new PostgresSource(opened -> {}));

  @TempDir(factory = OpenDirectory.class)
  private Path directory;

  /** A server started by root runs as somebody else, who must be able to pass through. */
  static final class OpenDirectory implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.setPosixFilePermissions(
          Files.createTempDirectory("partita-cli-"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private Ran embedded(String command) {
    return commands.run(command + " --data " + directory.resolve("data"));
  }

  @Test
  void keepsItsOwnDatabaseInADirectory() {
    assertThat(embedded("account list").exits(ExitCode.MISUSE).err())
        .contains("there is no ledger in", "partita asset register");
    assertThat(directory.resolve("data")).doesNotExist();
    embedded("asset register EUR").exits(ExitCode.OK);
    embedded("account open till --asset EUR --normal debit").exits(ExitCode.OK);
    embedded("account open wallet --asset EUR --min-balance 0").exits(ExitCode.OK);
    embedded("transfer post --debit till --credit wallet --amount 5 --asset EUR --key k")
        .exits(ExitCode.OK);
    assertThat(
            embedded("transfer post --debit wallet --credit till --amount 6 --asset EUR")
                .exits(ExitCode.REFUSED)
                .out())
        .contains("INSUFFICIENT_FUNDS");
    assertThat(embedded("balance wallet").exits(ExitCode.OK).out()).contains("5.00 EUR");
    assertThat(embedded("account list --schema other").exits(ExitCode.MISUSE).err())
        .contains("--schema");
  }

  @Test
  void keepsApiKeysBesideTheLedger() {
    assertThat(embedded("keys list").exits(ExitCode.MISUSE).err()).contains("there is no ledger");
    String key =
        embedded("keys create shop --scope read --output json").json().get("key").stringValue();
    embedded("keys create shop --scope read").exits(ExitCode.REFUSED);
    assertThat(embedded("keys list").exits(ExitCode.OK).out())
        .contains("shop")
        .doesNotContain(key.substring(19));
    embedded("keys revoke shop").exits(ExitCode.OK);
  }

  @Test
  @Tag("slow")
  void exportsAndImportsADemoIdentically() {
    embedded("demo --transfers 2000 --sellers 20 --buyers 100 --exit").exits(ExitCode.OK);
    embedded("demo --transfers 2000 --sellers 20 --buyers 100 --exit").exits(ExitCode.OK);
    Path first = directory.resolve("first.jsonl");
    Path second = directory.resolve("second.jsonl");
    embedded("export " + first).exits(ExitCode.OK);
    embedded("import ledger " + first + " --schema copy").exits(ExitCode.OK);
    embedded("verify --schema copy").exits(ExitCode.OK);
    embedded("export " + second + " --schema copy").exits(ExitCode.OK);
    assertThat(second).hasSameTextualContentAs(first);
  }

  @Test
  @Tag("slow")
  void migratesAGivenDatabaseOnlyWhenTold() {
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(directory.resolve("given"));
    try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
      login(server.application());
      assertThat(commands.run("asset list").exits(ExitCode.MISUSE).err())
          .contains("schema migrate");
      assertThat(commands.run("schema status").exits(ExitCode.REFUSED).out())
          .contains("There is no ledger");
      login(server.owner());
      assertThat(commands.ok("schema migrate").out()).contains("Applied V001");
      login(server.application());
      assertThat(commands.run("asset list").exits(ExitCode.MISUSE).err()).contains("schema grants");
      login(server.owner());
      commands.ok("schema grants --role " + server.application().user() + " --apply");
      login(server.application());
      commands.ok("asset register EUR");
      assertThat(commands.ok("schema status").out()).contains("the latest");
      commands.environment.put("PARTITA_PASSWORD", "wrong");
      Ran refused = commands.run("asset list").exits(ExitCode.MISUSE);
      assertThat(refused.err()).contains("--user: the database refuses this login");
      assertThat(refused.err()).doesNotContain("wrong");
    }
    commands.environment.put("PARTITA_PASSWORD", "x");
    assertThat(commands.run("asset list").exits(ExitCode.UNAVAILABLE).err())
        .contains("cannot connect");
  }

  private void login(Login login) {
    commands.environment.put("PARTITA_URL", login.jdbcUrl());
    commands.environment.put("PARTITA_USER", login.user());
    commands.environment.put("PARTITA_PASSWORD", login.password());
  }

  @Test
  @Tag("slow")
  void stopsInGoodOrderWhenInterrupted() throws Exception {
    Path data = directory.resolve("data");
    Path log = directory.resolve("demo.log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "demo",
                    "--transfers",
                    "100000000",
                    "--buyers",
                    "100",
                    "--data",
                    data.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Files.readString(log).contains("transfers,") || !process.isAlive());
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(ExitCode.INTERRUPTED.number());
    assertThat(Files.readString(log)).contains("interrupted");
    assertThat(data.resolve("postgres/postmaster.pid")).doesNotExist();
    embedded("verify").exits(ExitCode.OK);
    embedded("trial-balance").exits(ExitCode.OK);
  }
}
