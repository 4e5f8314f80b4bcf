package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Arguments that cannot be meant: refused by name, before a ledger is opened where possible. */
class HostileArgumentsTest {

  private static final String POST = "transfer post --debit till --credit wallet:1 --asset EUR";

  private final Commands commands = new Commands().withWallets();

  static Stream<String> notDecimals() {
    return Stream.of(
        "",
        " ",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e3",
        "1E400",
        "+1",
        "-1",
        "-0",
        " 1",
        "1 ",
        "1,5",
        "1_000",
        "0x10",
        "1.",
        ".5",
        "1.2.3",
        "１２",
        "٣",
        "1\u00a0",
        "1\n",
        "1\u0000",
        "½",
        "一");
  }

  @ParameterizedTest
  @MethodSource("notDecimals")
  void refusesAmountsThatAreNotDecimals(String amount) {
    int opened = commands.opened;
    Ran ran = post("--amount", amount).exits(ExitCode.MISUSE);
    assertThat(ran.err())
        .contains("--amount: ")
        .contains("is not a decimal number")
        .contains("12.50");
    assertThat(ran.err().chars()).doesNotContain(0, 0x661);
    assertThat(commands.opened).isEqualTo(opened);
    assertThat(commands.ledger.trialBalance().lines().getFirst().debitsPosted()).isZero();
  }

  @ParameterizedTest
  @MethodSource("notDecimals")
  void refusesLimitsThatAreNotDecimals(String limit) {
    if (limit.equals("-1") || limit.equals("-0")) {
      return;
    }
    Ran ran = commands.run("account", "limits", "wallet:1", "--min-balance=" + limit);
    assertThat(ran.exits(ExitCode.MISUSE).err()).contains("--min-balance: ");
  }

  @Test
  void neverRounds() {
    assertThat(post("--amount", "1.005").exits(ExitCode.MISUSE).err())
        .contains("--amount: \"1.005\" has 3 digits after the point, EUR has 2");
    assertThat(post("--amount", "1.000").exits(ExitCode.MISUSE).err()).contains("3 digits");
    post("--amount", "1.0").exits(ExitCode.OK);
    post("--amount", "9".repeat(60)).exits(ExitCode.MISUSE);
  }

  static Stream<Arguments> badOptions() {
    return Stream.of(
        Arguments.of("--id", "018f4e2a7c1b7d3e9a4b5c6d7e8f9a0b", "is not a UUID"),
        Arguments.of("--id", "1-1-1-1-1", "is not a UUID"),
        Arguments.of("--id", "00000000-0000-0000-0000-000000000000", "nil"),
        Arguments.of("--id", "018f4e2a-7c1b-8d3e-9a4b-5c6d7e8f9a0b", "version 8"),
        Arguments.of("--key", "", "at least one character"),
        Arguments.of("--key", "a\u0000b", "NUL"),
        Arguments.of("--code", "65536", "0 to 65535"),
        Arguments.of("--code", "-1", "0 to 65535"),
        Arguments.of("--code", "１", "0 to 65535"),
        Arguments.of("--code", "1.0", "0 to 65535"),
        Arguments.of("--reference", "", "empty"),
        Arguments.of("--reference", "a\u001b[31mb", "control character U+001B"),
        Arguments.of("--reference", "x".repeat(256), "256"),
        Arguments.of("--effective-at", "2026-01-31", "is not a time"),
        Arguments.of("--effective-at", "2026-01-31T23:59:59", "offset"),
        Arguments.of("--effective-at", "2026-01-31 23:59:59Z", "is not a time"),
        Arguments.of("--effective-at", "2026-02-30T00:00:00Z", "no time on any calendar"),
        Arguments.of("--effective-at", "2026-01-31T24:00:01Z", "no time on any calendar"),
        Arguments.of("--effective-at", "2026-01-31T23:59:59.1234567Z", "microsecond"),
        Arguments.of("--effective-at", "0000-01-01T00:00:00Z", "0001"),
        Arguments.of("--effective-at", "now", "is not a time"),
        Arguments.of("--metadata", "novalue", "KEY=VALUE"),
        Arguments.of("--metadata", "=x", "KEY=VALUE"),
        Arguments.of("--metadata", "a b=x", "is not a key"),
        Arguments.of("--metadata", "a=\u0000", "NUL"),
        Arguments.of("--up-to", "BOTH", "none of none, debit, credit, both"));
  }

  @ParameterizedTest
  @MethodSource("badOptions")
  void refusesOptionsByName(String option, String value, String message) {
    int opened = commands.opened;
    Ran ran = post("--amount", "1", option, value).exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains(option + ": ").contains(message);
    assertThat(commands.opened).isEqualTo(opened);
  }

  @ParameterizedTest
  @MethodSource("badAccounts")
  void refusesAccountIdsThatAreNone(String account) {
    assertThat(
            commands
                .run(
                    "transfer",
                    "post",
                    "--debit",
                    account,
                    "--credit",
                    "x",
                    "--amount",
                    "1",
                    "--asset",
                    "EUR")
                .exits(ExitCode.MISUSE)
                .err())
        .contains("--debit: ");
  }

  static Stream<String> badAccounts() {
    return Stream.of(
        "", " ", "a b", ":", "a::b", "a:", "é", "a\u0000", "a/b", "x".repeat(129), "'--");
  }

  @ParameterizedTest
  @MethodSource("badDurations")
  void refusesDurationsThatAreNone(String duration) {
    assertThat(
            commands
                .run(
                    "transfer",
                    "pending",
                    "--debit",
                    "till",
                    "--credit",
                    "wallet:1",
                    "--amount",
                    "1",
                    "--asset",
                    "EUR",
                    "--timeout",
                    duration)
                .exits(ExitCode.MISUSE)
                .err())
        .contains("--timeout: ");
  }

  static Stream<String> badDurations() {
    return Stream.of(
        "", "0", "0s", "-1", "1.5h", "1h30m", "PT1H", "2147483648", "99999999d", "１", "1 s");
  }

  @Test
  void blamesTheOptionThatIsWrong() {
    assertThat(commands.run("account list --code x").exits(ExitCode.MISUSE).err())
        .contains("--code: ");
    assertThat(commands.run("account list --limit x").exits(ExitCode.MISUSE).err())
        .contains("--limit: ");
    assertThat(commands.run("asset register X --scale x").exits(ExitCode.MISUSE).err())
        .contains("--scale: ");
  }

  @Test
  void refusesWhatContradictsItself() {
    assertThat(post("--amount", "1", "--id", "x", "--key", "y").exits(ExitCode.MISUSE).err())
        .contains("either --id or --key");
    assertThat(post("--amount", "1", "--amount", "2").exits(ExitCode.MISUSE).err())
        .contains("--amount");
    assertThat(
            post("--amount", "1", "--metadata", "a=1", "--metadata", "a=2")
                .exits(ExitCode.MISUSE)
                .err())
        .contains("given twice");
    assertThat(
            commands
                .run(
                    "balance till --recorded 2026-01-01T00:00:00Z --effective 2026-01-01T00:00:00Z")
                .exits(ExitCode.MISUSE)
                .err())
        .contains("--recorded");
    commands.run("balance till --known 2026-01-01T00:00:00Z").exits(ExitCode.MISUSE);
    commands.run("account limits till").exits(ExitCode.MISUSE);
    commands.run("account metadata till").exits(ExitCode.MISUSE);
    commands.run("account metadata till --none --metadata a=b").exits(ExitCode.MISUSE);
    commands
        .run("account open x --asset EUR --min-balance 2 --max-balance 1")
        .exits(ExitCode.MISUSE);
    commands.run("transfer capture").exits(ExitCode.MISUSE);
    commands.run("transfer capture key:a --group key:b").exits(ExitCode.MISUSE);
    commands.run("transfer capture key:a --amount 1").exits(ExitCode.MISUSE);
    commands.run("transfer capture key:a --keep-remainder").exits(ExitCode.MISUSE);
    commands.run("transfer void --group key:a --reference x").exits(ExitCode.MISUSE);
    commands.run("find").exits(ExitCode.MISUSE);
    commands.run("find --code 3").exits(ExitCode.MISUSE);
    commands.run("statement till --limit 0").exits(ExitCode.MISUSE);
    commands.run("statement till --limit 10001").exits(ExitCode.MISUSE);
    commands.run("statement till --cursor nonsense").exits(ExitCode.MISUSE);
    commands.run("account list --asset BTC").exits(ExitCode.MISUSE);
    commands.run("holds --asset BTC").exits(ExitCode.MISUSE);
    commands.run("demo --transfers 1").exits(ExitCode.MISUSE);
    commands.run("demo --callers 0").exits(ExitCode.MISUSE);
  }

  private Ran post(String... more) {
    String[] words = POST.split(" ", -1);
    String[] all = Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    return commands.run(all);
  }
}
