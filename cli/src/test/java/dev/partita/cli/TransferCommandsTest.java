package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TransferCommandsTest {

  private static final String PAY = "--debit wallet:1 --credit wallet:2 --asset EUR --amount ";

  private final Commands commands = new Commands().withWallets().funded("100");

  @TempDir private Path directory;

  @Test
  void postsAndPrintsTheIdItChose() {
    JsonNode answer = commands.json("transfer post " + PAY + "12.50 --reference order-7");
    assertThat(answer.get("recorded").booleanValue()).isTrue();
    JsonNode first = answer.get("transfers").get(0);
    assertThat(first.get("status").stringValue()).isEqualTo("CREATED");
    assertThat(first.get("id").stringValue()).isEqualTo(answer.get("id").stringValue());
    assertThat(java.util.UUID.fromString(answer.get("id").stringValue()).version()).isEqualTo(7);
    JsonNode transfer = first.get("transfer");
    assertThat(transfer.get("amount").stringValue()).isEqualTo("12.50");
    assertThat(transfer.get("asset").stringValue()).isEqualTo("EUR");
    assertThat(transfer.get("creditAfter").get("balance").stringValue()).isEqualTo("12.50");
    assertThat(transfer.get("recordedAt").stringValue()).endsWith("Z");
  }

  @Test
  void repeatsSafelyUnderAKey() {
    String post = "transfer post " + PAY + "1 --key k";
    assertThat(commands.ok(post).out()).contains("Recorded.");
    assertThat(commands.ok(post).out()).contains("Recorded before");
    Ran other = commands.run("transfer post " + PAY + "2 --key k").exits(ExitCode.REFUSED);
    assertThat(other.out()).contains("EXISTS_DIFFERENT").contains("amount");
    assertThat(commands.ok("balance wallet:2").out()).contains("1.00 EUR");
  }

  @Test
  void refusesWithStatusAccountAndWhatToDo() {
    Ran ran = commands.run("transfer post " + PAY + "100.01").exits(ExitCode.REFUSED);
    assertThat(ran.out())
        .contains(
            "INSUFFICIENT_FUNDS", "wallet:1", "100.00 EUR to spend", "minimum 0.00", "Fund it");
    assertThat(ran.err()).isEmpty();
    JsonNode json =
        commands
            .run("transfer post " + PAY + "100.01 --output json")
            .exits(ExitCode.REFUSED)
            .json()
            .get("transfers")
            .get(0);
    assertThat(json.get("status").stringValue()).isEqualTo("INSUFFICIENT_FUNDS");
    assertThat(json.get("account").stringValue()).isEqualTo("wallet:1");
    assertThat(json.get("transfer").isNull()).isTrue();
  }

  @Test
  void refusesUnknownAccountsAndAssets() {
    assertThat(
            commands
                .run("transfer post --debit nobody --credit wallet:1 --asset EUR --amount 1")
                .exits(ExitCode.REFUSED)
                .out())
        .contains("DEBIT_ACCOUNT_NOT_FOUND", "nobody", "account open");
    assertThat(
            commands
                .run("transfer post --debit till --credit wallet:1 --asset USD --amount 1")
                .exits(ExitCode.MISUSE)
                .err())
        .contains("--asset: the ledger has no asset USD");
    commands.ok("account close wallet:2");
    assertThat(commands.run("transfer post " + PAY + "1").exits(ExitCode.REFUSED).out())
        .contains("CREDIT_ACCOUNT_CLOSED", "account reopen wallet:2");
  }

  @Test
  void movesUpToWhatThereIs() {
    JsonNode answer = commands.json("transfer post " + PAY + "500 --up-to debit");
    assertThat(answer.get("transfers").get(0).get("transfer").get("amount").stringValue())
        .isEqualTo("100.00");
  }

  @Test
  void holdsCapturesAndVoids() {
    commands.ok("transfer pending " + PAY + "40 --key hold --timeout 15m");
    assertThat(commands.ok("balance wallet:1").out()).contains("40.00 EUR").contains("60.00 EUR");
    commands.ok("transfer capture key:hold --amount 15 --asset EUR --keep-remainder");
    commands.ok("transfer capture key:hold --amount 5 --asset EUR --key last");
    assertThat(commands.run("transfer void key:hold").exits(ExitCode.REFUSED).out())
        .contains("PENDING_ALREADY_POSTED");
    assertThat(commands.ok("balance wallet:2").out()).contains("20.00 EUR");
    assertThat(commands.ok("holds").out()).contains("No holds.");

    commands.ok("transfer pending " + PAY + "40 --key other");
    assertThat(commands.ok("holds --account wallet:1").out()).contains("40.00");
    commands.ok("transfer void key:other");
    assertThat(commands.json("account show wallet:1").get("available").stringValue())
        .isEqualTo("80.00");
  }

  @Test
  void reversesInPart() {
    commands.ok("transfer post " + PAY + "10 --key sale");
    commands.ok("transfer reverse key:sale --amount 4 --asset EUR");
    commands.ok("transfer reverse key:sale");
    assertThat(commands.run("transfer reverse key:sale").exits(ExitCode.REFUSED).out())
        .contains("EXCEEDS_ORIGINAL");
    assertThat(commands.json("find --related key:sale").get("transfers")).hasSize(2);
  }

  @Test
  void postsAndResolvesGroups() throws Exception {
    Path file = directory.resolve("sale.csv");
    Files.writeString(
        file,
        """
        key,debit,credit,asset,amount
        p1,wallet:1,wallet:2,EUR,10.00
        p2,wallet:2,till,EUR,1.00
        """);
    assertThat(commands.ok("transfer group " + file + " --key g").out()).contains("is recorded");
    assertThat(commands.json("find --group key:g").get("transfers")).hasSize(2);
    assertThat(commands.json("balance wallet:2").get("balance").stringValue()).isEqualTo("9.00");
    Files.writeString(
        file,
        """
        key,debit,credit,asset,amount
        p3,wallet:1,wallet:2,EUR,10.00
        p4,wallet:2,till,EUR,1000.00
        """);
    Ran refused = commands.run("transfer group " + file).exits(ExitCode.REFUSED);
    assertThat(refused.out()).contains("refused as a whole", "GROUP_FAILED", "INSUFFICIENT_FUNDS");
    assertThat(commands.run("transfer capture --group key:g").exits(ExitCode.REFUSED).out())
        .contains("NOT_PENDING");
  }

  @Test
  void showsTransfersAndSaysWhichAreNotRecorded() {
    commands.ok("transfer post " + PAY + "10 --key a --metadata note=x");
    assertThat(commands.ok("transfer show key:a").out()).contains("10.00 EUR", "note=x", "direct");
    JsonNode both =
        commands
            .run("transfer show key:a key:b key:a --output json")
            .exits(ExitCode.REFUSED)
            .json();
    assertThat(both.get("transfers")).hasSize(1);
    assertThat(both.get("notRecorded")).hasSize(1);
  }

  @Test
  void keepsStoredTextFromReachingTheTerminal() {
    commands.run(
        "transfer",
        "post",
        "--debit",
        "till",
        "--credit",
        "wallet:1",
        "--asset",
        "EUR",
        "--amount",
        "1",
        "--key",
        "evil",
        "--metadata",
        "a=\u001b[2J\u202e\r\nroot");
    String out = commands.ok("transfer show key:evil").out();
    assertThat(out).doesNotContain("\u001b").doesNotContain("\u202e").contains("\\u001b");
  }
}
