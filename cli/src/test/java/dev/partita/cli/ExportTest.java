package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import dev.partita.memory.InMemoryLedger;
import dev.partita.testkit.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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
      // What an interrupted import has done: the first lines, but no part of a group.
      Commands other = new Commands(new InMemoryLedger(clock));
      Path part = Files.writeString(directory.resolve("part.jsonl"), ended(lines.subList(0, cut)));
      Ran ran = other.run("import ledger " + part);
      if (ran.exitCode() != ExitCode.OK.number()) {
        assertThat(ran.exits(ExitCode.MISUSE).err()).contains("not whole");
      }
      other.ok("import ledger " + whole);
      other.ok("import ledger " + whole);
      Path again = directory.resolve("again-" + cut + ".jsonl");
      other.ok("export " + again);
      assertThat(again).hasSameTextualContentAs(whole);
    }
  }

  /** Lines of an export with the last line that belongs to them. */
  private static String ended(List<String> lines) {
    String end =
        String.format(
            Locale.ROOT,
            "{\"end\":{\"assets\":%d,\"accounts\":%d,\"changes\":%d,\"transfers\":%d,\"sha256\":\"%s\"}}",
            count(lines, "asset"),
            count(lines, "account"),
            count(lines, "change"),
            count(lines, "transfer"),
            "0".repeat(64));
    return summed(String.join("\n", lines) + "\n" + end + "\n");
  }

  private static long count(List<String> lines, String kind) {
    return lines.stream().filter(line -> line.startsWith("{\"" + kind + "\":")).count();
  }

  /** An export that was changed, with the sum that belongs to it. */
  private static String summed(String text) {
    String body = text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1);
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
      return text.replaceFirst(
          "\"sha256\":\"[0-9a-f]{64}\"", "\"sha256\":\"" + HexFormat.of().formatHex(sum) + "\"");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void writesNothingOfAFileThatWasCutOffOrChanged() throws IOException {
    String text = exported();
    Path file = directory.resolve("whole.jsonl");
    int lines = (int) text.lines().count();
    Commands other = new Commands(new InMemoryLedger(clock));
    Files.writeString(file, text.substring(0, text.lastIndexOf("{\"end\"")));
    assertThat(other.run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("line " + (lines - 1) + ": the file ends here without its last line");
    // A note is nothing that the rules could miss.
    Files.writeString(file, text.replace("\"reference\":\"held\"", "\"reference\":\"hold\""));
    assertThat(other.run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("whole.jsonl line " + lines + ": sha256: ", "another copy of the file");
    other.input(Files.readString(file));
    assertThat(other.run("import ledger -").exits(ExitCode.MISUSE).err())
        .contains("standard input line " + lines + ": sha256: ");
    assertThat(other.json("asset list").get("assets")).isEmpty();
    assertThat(other.json("account list").get("accounts")).isEmpty();
    other.input(text);
    other.ok("import ledger -");
    assertThat(other.json("account list").get("accounts")).hasSize(4);
  }

  @Test
  void writesNothingOfAFileFromTheFuture() throws IOException {
    Path file = Files.writeString(directory.resolve("whole.jsonl"), exported());
    ManualClock behind = new ManualClock(ManualClock.START.minus(Duration.ofMinutes(2)));
    Commands other = new Commands(new InMemoryLedger(behind));
    assertThat(other.run("import ledger " + file).exits(ExitCode.MISUSE).err())
        .contains("recordedAt: 2026-01-01T00:00:00Z has not come yet", "2025-12-31T23:58:00Z");
    assertThat(other.json("asset list").get("assets")).isEmpty();
    // Clocks of two machines differ a little.
    Instant newest =
        Pattern.compile("\"recordedAt\":\"([^\"]*)\"")
            .matcher(exported())
            .results()
            .map(found -> Instant.parse(found.group(1)))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    behind.set(newest.minusSeconds(59));
    other.ok("import ledger " + file);
  }

  @Test
  void leavesNothingOutWhenTheClockWasPutBack() throws IOException {
    fill();
    clock.advance(Duration.ofHours(-1));
    step("account open late --asset EUR");
    step("transfer post --debit till --credit late --asset EUR --amount 1 --key late");
    step("account limits late --max-balance 2");
    Path file = directory.resolve("whole.jsonl");
    assertThat(commands.json("export " + file).get("notIncluded").longValue()).isZero();
    clock.advance(Duration.ofHours(1));
    Commands other = new Commands(new InMemoryLedger(clock));
    other.ok("import ledger " + file);
    assertThat(other.json("trial-balance").get("assets"))
        .isEqualTo(commands.json("trial-balance").get("assets"));
    assertThat(other.json("account show late")).isEqualTo(commands.json("account show late"));
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
        "\"sha256\"              | \"sha\"                         | sha256: is missing",
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
    Files.writeString(
        file, summed(text.substring(0, at) + put + text.substring(at + find.length())));
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
