package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.cli.connect.Target;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

  private final Commands commands = new Commands();

  private Target target(String options) {
    commands.run("asset list " + options).exits(ExitCode.OK);
    return Objects.requireNonNull(commands.target);
  }

  @Test
  void usesTheEmbeddedDatabaseWhereNothingIsSaid() {
    Target target = target("--output text");
    assertThat(target.url()).isNull();
    assertThat(target.data()).hasToString("partita-data");
    assertThat(target.schema()).isEqualTo("partita");
  }

  @Test
  void takesTheDatabaseFromTheEnvironment() {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop");
    commands.environment.put("PGUSER", "reader");
    commands.environment.put("PARTITA_USER", "app");
    commands.environment.put("PGPASSWORD", "secret");
    Target target = target("--schema shop_ledger");
    assertThat(target.url()).isEqualTo("jdbc:postgresql://db/shop");
    assertThat(target.user()).isEqualTo("app");
    assertThat(target.password()).isEqualTo("secret");
    assertThat(target.schema()).isEqualTo("shop_ledger");
    assertThat(target).asString().doesNotContain("secret").doesNotContain("db/shop");
  }

  @Test
  void prefersOptionsToTheEnvironment() {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop");
    commands.environment.put("PARTITA_USER", "app");
    assertThat(target("--url jdbc:postgresql://other/x --user me").url())
        .isEqualTo("jdbc:postgresql://other/x");
    assertThat(target("--url jdbc:postgresql://other/x --user me").user()).isEqualTo("me");
    assertThat(target("--data elsewhere").url()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "--url postgres://db/shop,                         --url: must begin with jdbc:postgresql:",
    "--url jdbc:postgresql://db/shop --data here,      --data: is for the embedded database",
    "--schema Ledger,                                  --schema: must be",
    "--schema a;drop,                                  --schema: must be",
    "--output xml,                                     --output: \"xml\" is none of text",
  })
  void refusesTargetsThatCannotBeMeant(String options, String message) {
    Ran ran = commands.run("asset list " + options).exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains(message);
    assertThat(commands.opened).isZero();
  }

  @Test
  void namesTheVariableAtFault() {
    commands.environment.put("PARTITA_URL", "mysql://x");
    assertThat(commands.run("asset list").exits(ExitCode.MISUSE).err()).contains("PARTITA_URL:");
  }

  /** What is empty is a mistake: it must not mean another ledger, or another login. */
  @ParameterizedTest
  @ValueSource(strings = {"PARTITA_URL", "PARTITA_USER", "PARTITA_PASSWORD"})
  void refusesVariablesThatAreSetButEmpty(String name) {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop");
    commands.environment.put("PGUSER", "reader");
    commands.environment.put("PGPASSWORD", "secret");
    for (String empty : new String[] {"", " "}) {
      commands.environment.put(name, empty);
      assertThat(commands.run("asset list").exits(ExitCode.MISUSE).err())
          .contains(name + ": is set, but empty");
    }
    assertThat(commands.opened).isZero();
    assertThat(target("--data elsewhere").url()).isNull();
  }

  @Test
  void takesEmptyVariablesOfOthersForUnset() {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop");
    commands.environment.put("PGUSER", "");
    commands.environment.put("PGPASSWORD", "");
    assertThat(target("--output text").user()).isNull();
    assertThat(target("--output text").password()).isNull();
  }

  @Test
  void refusesAnEmptyUser() {
    commands.environment.put("PARTITA_URL", "jdbc:postgresql://db/shop");
    assertThat(commands.run("asset list --user ").exits(ExitCode.MISUSE).err())
        .contains("--user: is blank");
  }

  @Test
  void printsMigrationsAndGrantsWithoutADatabase() {
    assertThat(commands.ok("schema print").out()).contains("CREATE SCHEMA partita");
    assertThat(commands.ok("schema grants --role app --schema x").out())
        .contains("SCHEMA x TO app");
    commands.run("schema", "grants", "--role", "a\"b").exits(ExitCode.MISUSE);
    assertThat(commands.opened).isZero();
  }
}
