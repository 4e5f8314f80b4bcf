package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportTest {

  private static @Nullable String filledOnce;

  private final ManualClock clock = new ManualClock();
  private final Commands commands = new Commands(new InMemoryLedger(clock));

  @TempDir private Path directory;

  private static final String PAY = " --debit wallet:1 --credit wallet:2 --asset EUR";

  /** A little of everything a ledger can hold. */
  private void fill() throws IOException {
    commands.withWallets();
    commands.ok("asset register BTC --scale 8");
    commands.ok("account open idle --asset BTC --code 65535 --min-balance -1.5 --max-balance 2");
    step("transfer post --debit till --credit wallet:1 --asset EUR --amount 100 --key top");
    step("account limits wallet:1 --max-balance 500 --actor ada");
    step("transfer post" + PAY + " --amount 7.77 --key a --reference r --code 3 --metadata k=ü");
    step("account metadata wallet:1 --metadata name=Ada");
    step("transfer pending" + PAY + " --amount 30 --key h1 --timeout 60");
    step("transfer pending" + PAY + " --amount 20 --key h2 --reference held");
    step("transfer pending" + PAY + " --amount 10 --key h3 --effective-at 2020-02-29T12:00:00Z");
    step("transfer capture key:h2 --amount 5 --asset EUR --keep-remainder --key c1");
    step("transfer capture key:h2 --key c2");
    step("transfer void key:h3 --key v");
    step("transfer reverse key:a --amount 1 --asset EUR --key rev");
    clock.advance(Duration.ofMinutes(2));
    step("expire");
    step("transfer post" + PAY + " --amount 1000 --up-to both --key most");
    Path group = directory.resolve("group.csv");
    Files.writeString(
        group,
        """
        key,debit,credit,asset,amount
        g1,till,wallet:1,EUR,3
        g2,wallet:1,wallet:2,EUR,2
        g3,wallet:2,till,EUR,1
        """);
    step("account limits wallet:2 --min-balance -5");
    step("transfer group " + group + " --key g");
    step("transfer pending" + PAY + " --amount 0.50 --key open");
    step("account close wallet:2");
    step("account close idle");
  }

  /** The export of a filled ledger; made once, the tests of reading take it from here. */
  private String exported() throws IOException {
    synchronized (ExportTest.class) {
      if (filledOnce == null) {
        fill();
        Path file = directory.resolve("filled.jsonl");
        commands.ok("export " + file);
        filledOnce = Files.readString(file);
      }
      clock.advance(Duration.ofDays(1));
      return filledOnce;
    }
  }

  private void step(String command) {
    clock.advanceMicros(1_000_001);
    commands.ok(command);
  }

  @Test
  void comesBackIdentical() throws IOException {
    fill();
    Path first = directory.resolve("first.jsonl");
    commands.ok("export " + first);
    Commands other = new Commands(new InMemoryLedger(clock));
    assertThat(other.ok("import ledger " + first).out()).contains("4 accounts", "5 changes");
    other.ok("verify");
    Path second = directory.resolve("second.jsonl.gz");
    Path third = directory.resolve("third.jsonl");
    other.ok("export " + second);
    Commands again = new Commands(new InMemoryLedger(clock));
    again.ok("import ledger " + second);
    again.ok("export " + third);
    assertThat(third).hasSameTextualContentAs(first);
    for (String read : List.of("statement wallet:1 --all", "account show wallet:2", "holds")) {
      assertThat(again.json(read)).isEqualTo(commands.json(read));
    }
    assertThat(
            other.ok("transfer post --debit till --credit wallet:1 --asset EUR --amount 1").out())
        .contains("Recorded.");
  }

  @Test
  void exportsADirectoryAndNeverOverwrites() throws IOException {
    fill();
    Path target = directory.resolve("backup");
    commands.ok("export " + target + "/");
    assertThat(target.resolve("ledger.jsonl")).exists();
    assertThat(commands.run("export " + target).exits(ExitCode.MISUSE).err())
        .contains("is there already");
    try (var files = Files.list(target)) {
      assertThat(files).hasSize(1);
    }
    new Commands(new InMemoryLedger(clock)).ok("import ledger " + target);
  }

  @Test
  void isEmptyForAnEmptyLedger() throws IOException {
    Path file = directory.resolve("empty.jsonl");
    commands.ok("export " + file);
    assertThat(Files.readAllLines(file)).hasSize(2);
    new Commands().ok("import ledger " + file);
  }

  @Test
  void goesOnAfterAnInterruptionAndRepeats() throws IOException {
    Path whole = Files.writeString(directory.resolve("whole.jsonl"), exported());
    List<String> lines = Files.readAllLines(whole);
    for (int cut = 1; cut < lines.size(); cut += 3) {
      Commands other = new Commands(new InMemoryLedger(clock));
      Path part = directory.resolve("part.jsonl");
      Files.write(part, lines.subList(0, cut));
      Ran ran = other.run("import ledger " + part).exits(ExitCode.MISUSE);
      assertThat(ran.err()).containsAnyOf("cut off", "not whole");
      other.ok("import ledger " + whole);
      other.ok("import ledger " + whole);
      Path again = directory.resolve("again-" + cut + ".jsonl");
      other.ok("export " + again);
      assertThat(again).hasSameTextualContentAs(whole);
    }
  }

  @Test
  void refusesALedgerThatHasSomethingElse() throws IOException {
    Path file = Files.writeString(directory.resolve("whole.jsonl"), exported());
    Commands other = new Commands();
    other.ok("asset register EUR");
    other.ok("account open mine --asset EUR");
    assertThat(other.run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("accounts that the export does not have, for example mine");
    assertThat(other.json("account list").get("accounts")).hasSize(1);
    Commands scale = new Commands();
    scale.ok("asset register EUR --scale 3");
    assertThat(scale.run("import ledger " + file).exits(ExitCode.MISUSE).err()).contains("scale 3");
  }

  /** Each line: what to find, what to put there, what the error says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"version\":1}          | \"version\":2}                  | line 1: version: ",
        "partita-ledger          | other                           | line 1: format: ",
        "\"scale\":2             | \"scale\":2,\"x\":1             | is not a field of",
        "\"scale\":2             | \"scale\":2,\"scale\":2         | not JSON",
        "\"scale\":2             | \"scale\":2.0                   | not a whole number",
        "\"scale\":2             | \"scale\":\"2\"                 | not a whole number",
        "\"scale\":2             | \"scale\":NaN                   | not JSON",
        "\"amount\":\"7.77\"     | \"amount\":7.77                 | is not a text",
        "\"amount\":\"7.77\"     | \"amount\":\"7.770\"            | digits after the point",
        "\"amount\":\"7.77\"     | \"amount\":\"7.78\"             | does not come out as recorded",
        "\"version\":2,          | \"version\":3,                  | does not come out as recorded",
        "\"normal\":\"DEBIT\"    | \"normal\":\"debit\"            | is not known",
        "\"transfers\":          | \"transfers\":1                 | lines are missing",
        "{\"end\"                | {\"end\":{}}{\"end\"            | not JSON",
        "{\"end\"                | {}                              | not JSON",
        "{\"change\"             | {\"changed\"                    | is not a field of",
        "\"openedAt\":\"2026     | \"openedAt\":\"26               | is not a time",
        "\"number\":1            | \"number\":2                    | line ",
      })
  void refusesFilesThatWereChanged(String find, String put, String message) throws IOException {
    String text = exported();
    Path file = directory.resolve("whole.jsonl");
    assertThat(text).contains(find);
    int at = find.equals("\"version\":2,") ? text.lastIndexOf(find) : text.indexOf(find);
    Files.writeString(file, text.substring(0, at) + put + text.substring(at + find.length()));
    Ran ran =
        new Commands(new InMemoryLedger(clock)).run("import ledger " + file).exits(ExitCode.MISUSE);
    long line = 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
    assertThat(ran.err()).contains("whole.jsonl line " + line + ": ").contains(message);
  }

  @Test
  void refusesAnAccountThatIsThereTwice() throws IOException {
    Path file = Files.writeString(directory.resolve("whole.jsonl"), exported());
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    int account = 0;
    while (!lines.get(account).startsWith("{\"account\"")) {
      account++;
    }
    lines.add(account, lines.get(account));
    Files.write(file, lines);
    assertThat(new Commands().run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("line " + (account + 2) + ": account: ")
        .contains("is there twice");
  }

  @Test
  void refusesLinesAfterTheLastAndLinesWithoutEnd() throws IOException {
    Path file = directory.resolve("empty.jsonl");
    commands.ok("export " + file);
    Files.writeString(file, Files.readString(file) + "{}\n");
    assertThat(new Commands().run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("line 3: nothing may follow");
    Files.writeString(file, "x".repeat(2 << 20));
    assertThat(new Commands().run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("longer than any record");
    Files.write(file, new byte[] {'{', (byte) 0xFF, '}', '\n'});
    assertThat(new Commands().run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("not UTF-8");
  }

  @Test
  void keepsUpWithMorePagesThanOne() throws IOException {
    commands.withWallets();
    List<String> rows = new ArrayList<>(List.of("key,debit,credit,asset,amount"));
    for (int i = 0; i < 2_500; i++) {
      rows.add(String.format(Locale.ROOT, "k%d,till,wallet:%d,EUR,0.01", i, 1 + i % 2));
    }
    Path csv = Files.write(directory.resolve("many.csv"), rows);
    commands.ok("import csv " + csv);
    Path file = directory.resolve("many.jsonl");
    commands.ok("export " + file);
    Commands other = new Commands(new InMemoryLedger(clock));
    assertThat(other.json("import ledger " + file).get("transfers").longValue()).isEqualTo(2_500);
    Path again = directory.resolve("again.jsonl");
    other.ok("export " + again);
    assertThat(again).hasSameTextualContentAs(file);
  }
}
