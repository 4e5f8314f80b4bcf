package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.cli.Commands.Ran;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class CsvImportTest {

  private static final String HEADER = "key,debit,credit,asset,amount\n";

  private final Commands commands = new Commands().withWallets();

  @TempDir private Path directory;

  @Test
  void importsAllColumnsAndRepeatsWithoutDoubling() throws IOException {
    String text =
        """
        reference,key,debit,credit,asset,amount,effective_at,code,metadata.note,metadata.x.y
        inv-1,a,till,wallet:1,EUR,10.00,2025-12-31T23:59:59+01:00,7,"says ""hi"", twice",z
        ,b,till,wallet:2,EUR,2,,,,
        """;
    JsonNode first = imported(text, ExitCode.OK);
    assertCounts(first, 2, 2, 0, 0, 0);
    assertThat(first.get("sums").get("EUR").get("amount").stringValue()).isEqualTo("12.00");
    JsonNode transfer = commands.json("transfer show key:a").get("transfers").get(0);
    assertThat(transfer.get("effectiveAt").stringValue()).isEqualTo("2025-12-31T22:59:59Z");
    assertThat(transfer.get("code").intValue()).isEqualTo(7);
    assertThat(transfer.get("reference").stringValue()).isEqualTo("inv-1");
    assertThat(transfer.get("metadata").get("note").stringValue()).isEqualTo("says \"hi\", twice");
    assertThat(transfer.get("metadata").get("x.y").stringValue()).isEqualTo("z");
    JsonNode plain = commands.json("transfer show key:b").get("transfers").get(0);
    assertThat(plain.get("metadata")).isEmpty();
    assertThat(plain.get("reference").isNull()).isTrue();
    assertCounts(imported(text, ExitCode.OK), 2, 0, 2, 0, 0);
  }

  @Test
  void countsEveryRowOnceAndNamesItsLine() throws IOException {
    JsonNode report =
        imported(
            HEADER
                + "a,till,wallet:1,EUR,5.00\n"
                + "b,wallet:1,wallet:2,EUR,6.00\n"
                + "\"c\",till,\"wallet\n:1\",EUR,1\n"
                + "d,till,wallet:1,EUR,1,\n"
                + "e,till,wallet:1,EUR\n"
                + "f,till,wallet:1,EUR,1e2\n"
                + "g,till,nobody,EUR,1\n"
                + "a,till,wallet:1,EUR,5.01\n"
                + ",till,wallet:1,EUR,1\n"
                + "h,till,wallet:1,USD,1\n"
                + "\n"
                + "a,till,wallet:1,EUR,5.0\n",
            ExitCode.REFUSED);
    assertCounts(report, 11, 1, 1, 3, 6);
    StringBuilder lines = new StringBuilder();
    report
        .get("rejections")
        .forEach(
            r ->
                lines
                    .append(r.get("line").longValue())
                    .append(' ')
                    .append(r.get("status").stringValue())
                    .append('\n'));
    assertThat(lines.toString().lines())
        .containsExactlyInAnyOrder(
            "3 INSUFFICIENT_FUNDS",
            "4 MALFORMED",
            "6 MALFORMED",
            "7 MALFORMED",
            "8 MALFORMED",
            "9 CREDIT_ACCOUNT_NOT_FOUND",
            "10 EXISTS_DIFFERENT",
            "11 MALFORMED",
            "12 MALFORMED");
    assertThat(report.toString())
        .contains(
            "amount: ", "has 6 values, the header has 5", "id and key are empty", "no asset USD");
  }

  @Test
  void writesAllRejectedRowsToAFileThatIsNotThereYet() throws IOException {
    Path rejects = directory.resolve("rejects.csv");
    Path file = write(HEADER + "a,till,nobody,EUR,5.00\nb,till,wallet:1,EUR,x\n");
    String command = "import csv " + file + " --rejects " + rejects;
    commands.run(command).exits(ExitCode.REFUSED);
    assertThat(Files.readString(rejects))
        .startsWith("line,status,detail\r\n")
        .contains("2,CREDIT_ACCOUNT_NOT_FOUND,account nobody")
        .contains("3,MALFORMED,\"amount: \"\"x\"\" is not");
    assertThat(commands.run(command).exits(ExitCode.MISUSE).err())
        .contains("--rejects: ")
        .contains("is there already");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "key,debit,credit,asset                       | the column amount is missing",
        "debit,credit,asset,amount                    | neither id nor key",
        "key,debit,credit,asset,amount,amount         | the column \"amount\" is there twice",
        "key,debit,credit,asset,amount,currency       | there is no column \"currency\"",
        "Key,debit,credit,asset,amount                | there is no column \"Key\"",
        "key, debit,credit,asset,amount               | there is no column \" debit\"",
        "key,debit,credit,asset,amount,               | there is no column \"\"",
        "key,debit,credit,asset,amount,metadata.      | there is no column \"metadata.\"",
        "key,debit,credit,asset,amount,metadata.a b   | there is no column \"metadata.a b\"",
        "key;debit;credit;asset;amount                | there is no column \"key;debit",
      })
  void refusesHeadersThatAreNotThose(String header, String message) throws IOException {
    Ran ran = run(header + "\n").exits(ExitCode.MISUSE);
    assertThat(ran.err()).contains("line 1: ").contains(message);
  }

  @Test
  void refusesFilesItCannotRead() throws IOException {
    assertThat(run("").exits(ExitCode.MISUSE).err()).contains("the file is empty");
    assertThat(commands.run("import csv nothing.csv").exits(ExitCode.MISUSE).err())
        .contains("nothing.csv: there is no such file");
    assertThat(commands.run("import csv " + directory).exits(ExitCode.MISUSE).err())
        .contains("is a directory");
    byte[] latin = (HEADER + "a,till,wallet:1,EUR,1\nü").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(run(latin).exits(ExitCode.MISUSE).err()).contains("it is not UTF-8");
    byte[] zipped = gzip(HEADER + "a,till,wallet:1,EUR,1\n".repeat(1_000));
    assertThat(run(java.util.Arrays.copyOf(zipped, zipped.length - 9)).exits(ExitCode.MISUSE).err())
        .contains("cut off");
  }

  /** Rows in there would be lost: Java reads up to them and calls it the end. */
  @Test
  void failsOnWhatFollowsCompressedData() throws IOException {
    byte[] member = gzip(HEADER + "a,till,wallet:1,EUR,1\n");
    for (String tail : List.of("x", "b,till,wallet:1,EUR,1\n", "\0".repeat(100_000))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(member);
      bytes.write(tail.getBytes(StandardCharsets.UTF_8));
      assertThat(run(bytes.toByteArray()).exits(ExitCode.MISUSE).err()).contains("damaged");
    }
  }

  @Test
  void readsSeveralMembersOfCompressedData() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(gzip(HEADER + "a,till,wallet:1,EUR,1\n"));
    bytes.write(gzip("b,till,wallet:1,EUR,1\n"));
    assertThat(run(bytes.toByteArray()).exits(ExitCode.OK).json().get("created").longValue())
        .isEqualTo(2);
  }

  @Test
  void readsByteOrderMarksLineEndingsGzipAndStandardInput() throws IOException {
    String rows = "a,till,wallet:1,EUR,1\nb,till,wallet:1,EUR,1";
    assertCounts(imported("\uFEFF" + HEADER + rows, ExitCode.OK), 2, 2, 0, 0, 0);
    assertCounts(imported((HEADER + rows).replace("\n", "\r\n"), ExitCode.OK), 2, 0, 2, 0, 0);
    Path zipped = directory.resolve("plain.name");
    Files.write(zipped, gzip(HEADER + rows));
    assertThat(commands.json("import csv " + zipped).get("exists").longValue()).isEqualTo(2);
    commands.input(HEADER + rows + "\nc,till,wallet:1,EUR,1\n");
    assertThat(commands.json("import csv -").get("created").longValue()).isEqualTo(1);
  }

  @Test
  void stopsWhereRowsCannotBeToldApart() throws IOException {
    Ran open =
        run(HEADER + "a,till,wallet:1,EUR,1\n\"b,till,wallet:1,EUR,1\nc,till,wallet:1,EUR,1\n");
    open.exits(ExitCode.MISUSE);
    assertThat(open.err()).contains("line 3: ").contains("quotes");
    assertThat(open.json().get("created").longValue()).isEqualTo(1);
    assertThat(run(HEADER + "\"a\"x,till,wallet:1,EUR,1\n").exits(ExitCode.MISUSE).err())
        .contains("line 2: ");
    String endless = HEADER + "\"" + "x".repeat(1 << 18);
    assertThat(run(endless).exits(ExitCode.MISUSE).err()).contains("a closing quote is missing");
  }

  @Test
  void keepsFileOrderWhereLimitsDependOnIt() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 3_000; i++) {
      // Only in this order does no row ask for more than there is.
      text.append("in").append(i).append(",till,wallet:1,EUR,1.00\n");
      text.append("to").append(i).append(",wallet:1,wallet:2,EUR,1.00\n");
      text.append("out").append(i).append(",wallet:2,till,EUR,1.00\n");
    }
    assertCounts(imported(text.toString(), ExitCode.OK), 9_000, 9_000, 0, 0, 0);
  }

  @Test
  void refusesValuesThatCannotBeStored() throws IOException {
    JsonNode report =
        imported(
            """
            id,key,debit,credit,asset,amount,code,effective_at,reference
            x,,till,wallet:1,EUR,1,,,
            018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b,k,till,wallet:1,EUR,1,,,
            018f4e2a-7c1b-8d3e-9a4b-5c6d7e8f9a0b,,till,wallet:1,EUR,1,,,
            ,k,till,wallet:1,EUR,1.001,,,
            ,k,till,wallet:1,EUR,１,,,
            ,k,till,wallet:1,EUR,1,65536,,
            ,k,till,wallet:1,EUR,1,,2026-01-31,
            ,k,till,wallet:1,EUR,1,,,a\001b
            ,k\000,till,wallet:1,EUR,1,,,
            ,k,ti ll,wallet:1,EUR,1,,,
            ,k,till,wallet:1,eur,1,,,
            """,
            ExitCode.REFUSED);
    assertCounts(report, 11, 0, 0, 0, 11);
    assertThat(report.toString())
        .contains("id: ", "key: ", "amount: ", "code: ", "effective_at: ", "reference: ", "debit: ")
        .contains("asset: ", "id and key are given", "amount: \\\"1.001\\\" has 3 digits");
  }

  private static void assertCounts(
      JsonNode report, long rows, long created, long exists, long refused, long malformed) {
    assertThat(
            new long[] {
              report.get("rows").longValue(),
              report.get("created").longValue(),
              report.get("exists").longValue(),
              report.get("refused").longValue(),
              report.get("malformed").longValue(),
              report.get("notTried").longValue()
            })
        .containsExactly(rows, created, exists, refused, malformed, 0);
  }

  private JsonNode imported(String text, ExitCode expected) throws IOException {
    return run(text).exits(expected).json();
  }

  private Ran run(String text) throws IOException {
    return run(text.getBytes(StandardCharsets.UTF_8));
  }

  private Ran run(byte[] bytes) throws IOException {
    Path file = directory.resolve("rows.csv");
    Files.write(file, bytes);
    return commands.run("import csv " + file + " --output json").withPlainError();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("rows.csv"), text);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
