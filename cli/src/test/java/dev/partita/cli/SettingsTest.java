package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.cli.connect.Target;
import dev.partita.cli.settings.Setting;
import dev.partita.cli.settings.SettingsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;

/** What {@code serve} is told, by whom, and who is believed. Nothing here starts a server. */
class SettingsTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");

  private final Commands commands = new Commands();

  @TempDir private Path directory;

  private Path file(String... lines) {
    try {
      return Files.writeString(directory.resolve("p.properties"), String.join("\n", lines));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private JsonNode setting(String key, String options) {
    for (JsonNode each : commands.json("serve --print-config" + options).get("settings")) {
      if (each.get("key").stringValue().equals(key)) {
        return each;
      }
    }
    throw new AssertionError(key);
  }

  private String value(String key, String options) {
    JsonNode setting = setting(key, options);
    return setting.get("value").stringValue() + " from " + setting.get("origin").stringValue();
  }

  @Test
  void believesTheFlagBeforeTheEnvironmentBeforeTheFileBeforeTheDefault() {
    assertThat(value("port", "")).isEqualTo("7070 from default");
    Path file = file("# mine", "port = 1001", "schema=filed", "allow-plain-http=true");
    commands.environment.put("PARTITA_CONFIG", file.toString());
    assertThat(value("port", "")).isEqualTo("1001 from file " + file);
    assertThat(value("allow-plain-http", "")).startsWith("true");
    assertThat(value("schema", " --schema flagged")).isEqualTo("flagged from flag");
    commands.environment.put("PARTITA_SERVE_PORT", "1002");
    assertThat(value("port", "")).isEqualTo("1002 from environment PARTITA_SERVE_PORT");
    assertThat(value("port", " --port 1003")).isEqualTo("1003 from flag");
    Path other = directory.resolve("other.properties");
    assertThat(commands.run("serve --print-config --config " + other).exits(ExitCode.MISUSE).err())
        .contains("there is no file " + other);
    assertThat(commands.opened).isZero();
  }

  private Target target() {
    return Objects.requireNonNull(commands.target);
  }

  @Test
  void opensTheLedgerThatTheFileNames() {
    Path file =
        file(
            "url = jdbc:postgresql://db/shop",
            "user = app",
            "schema = s",
            "allow-plain-http=true",
            "host=0.0.0.0");
    commands.run("serve --config " + file).exits(ExitCode.MISUSE);
    assertThat(target().url()).isEqualTo("jdbc:postgresql://db/shop");
    assertThat(target().user()).isEqualTo("app");
    assertThat(target().schema()).isEqualTo("s");
    commands.environment.put("PARTITA_USER", "other");
    commands.run("serve --schema t --config " + file).exits(ExitCode.MISUSE);
    assertThat(target().user()).isEqualTo("other");
    assertThat(target().schema()).isEqualTo("t");
    assertThat(value("url", " --data elsewhere --config " + file("port=1"))).contains("default");
  }

  @Test
  void printsNoSecret() {
    commands.environment.put("PARTITA_PASSWORD", "secret-1");
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop?password=secret-2");
    Ran printed = commands.ok("serve --print-config");
    assertThat(printed.out()).contains("jdbc:postgresql://db/shop?(hidden)");
    assertThat(printed.out()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prot = 1                | \"prot\", which there is not; the nearest is port",
        "tls_certificate = x     | nearest is tls-certificate",
        "PORT = 1                | \"PORT\"",
        "password = x            | \"password\"",
        "port =                  | port: has no value",
        "port = x                | port in ",
        "port = 65536            | 0 to 65535",
        "require-keys = yes      | neither true nor false",
        "idle-timeout = 0        | idle-timeout in",
        "idle-timeout = 25h      | at most 24h",
        "stop-patience = 2h      | at most 1h",
        "max-page-items = 99     | 100 to 10000",
        "max-body-bytes = 1      | 1024 to",
        "port = \\u12            | is malformed",
      })
  void refusesAFileThatIsWrongAndSaysWhere(String line, String message) {
    Path file = file(line);
    Ran refused = commands.run("serve --print-config --config " + file).exits(ExitCode.MISUSE);
    assertThat(refused.err()).contains(message).contains(file.toString());
    assertThat(commands.run("serve --config " + file).exits(ExitCode.MISUSE).err())
        .contains(message);
    assertThat(commands.opened).isZero();
  }

  @Test
  void refusesAKeyThatIsThereTwice() {
    Path file = file("port = 1", "port = 2");
    assertThat(commands.run("serve --print-config --config " + file).exits(ExitCode.MISUSE).err())
        .contains("port: is in", "twice");
  }

  @Test
  void refusesVariablesThatAreSetButEmptyAndNamesThoseAtFault() {
    commands.environment.put("PARTITA_SERVE_PORT", " ");
    assertThat(commands.run("serve --print-config").exits(ExitCode.MISUSE).err())
        .contains("PARTITA_SERVE_PORT: is set, but empty");
    commands.environment.put("PARTITA_SERVE_PORT", "http");
    assertThat(commands.run("serve --print-config").exits(ExitCode.MISUSE).err())
        .contains("PARTITA_SERVE_PORT: \"http\"");
  }

  /** One registry: what is not in it cannot be set. */
  @Test
  void everyFlagOfServeIsASetting() {
    Set<String> flags =
        Partita.commandLine(commands.world())
            .getSubcommands()
            .get("serve")
            .getCommandSpec()
            .options()
            .stream()
            .filter(option -> !option.inherited())
            .map(OptionSpec::longestName)
            .collect(Collectors.toCollection(HashSet::new));
    flags.removeAll(Set.of("--config", "--print-config", "--help", "--version"));
    Set<String> settings = new HashSet<>();
    for (Setting setting : Setting.values()) {
      if (!setting.ofAllCommands()) {
        settings.add(setting.flag());
      }
    }
    assertThat(flags).isEqualTo(settings);
  }

  /** If this fails, copy the page that the test has written to where it belongs. */
  @Test
  void thePageOfDocumentationIsMadeFromTheSettings() throws IOException {
    Path made = Path.of("target/configuration.md");
    Files.writeString(made, SettingsPage.text());
    assertThat(PAGE).as("bring it up to date: cp cli/%s docs/", made).hasSameTextualContentAs(made);
  }
}
