package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AccountCommandsTest {

  private final Commands commands = new Commands().withWallets();

  @Test
  void registersAssetsOnce() {
    assertThat(commands.ok("asset register BTC --scale 8").out()).contains("scale 8");
    assertThat(commands.ok("asset register BTC --scale 8").out()).contains("before");
    assertThat(commands.run("asset register BTC --scale 7").exits(ExitCode.REFUSED).out())
        .contains("scale 8", "never changes");
    assertThat(commands.run("asset register GOLD").exits(ExitCode.MISUSE).err())
        .contains("--scale N");
    assertThat(commands.run("asset register eur").exits(ExitCode.MISUSE).err())
        .contains("CODE: \"eur\" is not an asset code");
    commands.run("asset register X --scale 31").exits(ExitCode.MISUSE);
    commands.run("asset register X --scale ٢").exits(ExitCode.MISUSE);
    assertThat(commands.json("asset list").get("assets")).hasSize(2);
  }

  @Test
  void opensAccountsOnce() {
    assertThat(commands.ok("account open wallet:1 --asset EUR").out()).contains("opened before");
    Ran other =
        commands.run("account open wallet:1 --asset EUR --normal debit").exits(ExitCode.REFUSED);
    assertThat(other.out()).contains("another normal");
    Ran unknown = commands.run("account open x --asset USD --output json").exits(ExitCode.REFUSED);
    assertThat(unknown.json().get("status").stringValue()).isEqualTo("UNKNOWN_ASSET");
    JsonNode opened =
        commands.json(
            "account open y --asset EUR --min-balance -5.5 --max-balance 100 --code 7 --metadata a=b");
    assertThat(opened.get("account").get("minBalance").stringValue()).isEqualTo("-5.50");
    assertThat(opened.get("account").get("maxBalance").stringValue()).isEqualTo("100.00");
    assertThat(opened.get("account").get("code").intValue()).isEqualTo(7);
    assertThat(opened.get("account").get("metadata").get("a").stringValue()).isEqualTo("b");
  }

  @Test
  void changesAndTellsWhatChanged() {
    commands.ok("account limits wallet:1 --min-balance -10 --max-balance 50 --actor ada");
    commands.ok("account limits wallet:1 --max-balance none --if-change 1");
    assertThat(
            commands
                .run("account limits wallet:1 --min-balance 0 --if-change 1")
                .exits(ExitCode.REFUSED)
                .out())
        .contains("changed meanwhile", "last change is 2");
    assertThat(commands.ok("account limits wallet:1 --min-balance -10").out())
        .contains("so already");
    commands.ok("account limits wallet:1 --max-balance 0");
    assertThat(
            commands.run("account limits wallet:1 --min-balance 1").exits(ExitCode.REFUSED).out())
        .contains("minimum would be above");
    commands.ok("account metadata wallet:1 --metadata name=Ada");
    commands.ok("account metadata wallet:1 --none");
    commands.ok("account close wallet:1");
    assertThat(commands.ok("account show wallet:1").out()).contains("closed");
    commands.ok("account reopen wallet:1");
    String changes = commands.ok("account changes wallet:1").out();
    assertThat(changes)
        .contains("ada", "min balance: 0.00 -> -10.00", "max balance: 50.00 -> none")
        .contains("metadata: none -> name=Ada", "state: open -> closed");
    JsonNode page = commands.json("account changes wallet:1 --limit 2");
    assertThat(page.get("changes")).hasSize(2);
    assertThat(
            commands
                .json("account changes wallet:1 --all --cursor " + page.get("next").stringValue())
                .get("changes"))
        .hasSize(5);
    assertThat(commands.run("account close nobody").exits(ExitCode.MISUSE).err())
        .contains("no account nobody");
  }

  @Test
  void listsAccountsInPages() {
    for (int i = 0; i < 7; i++) {
      commands.ok("account open list:" + i + " --asset EUR --code " + i % 2);
    }
    assertThat(commands.ok("account list --prefix list: --limit 3").out())
        .contains("list:2", "--cursor")
        .doesNotContain("list:3");
    assertThat(commands.json("account list --prefix list: --all").get("accounts")).hasSize(7);
    assertThat(commands.json("account list --code 1").get("accounts")).hasSize(3);
    assertThat(commands.ok("account list --prefix nothing").out()).contains("No accounts.");
    assertThat(commands.run("account list --prefix é").exits(ExitCode.MISUSE).err())
        .contains("--prefix");
  }
}
