package dev.partita.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountId;
import dev.partita.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class BerkaImportTest {

  private static final String HEADER =
      "\"trans_id\";\"account_id\";\"date\";\"type\";\"operation\";\"amount\";\"balance\";"
          + "\"k_symbol\";\"bank\";\"account\"\r\n";

  /** Made up, in the form of the data. */
  private static final String ROWS =
      HEADER
          + "11;1;930101;\"PRIJEM\";\"VKLAD\";1000.00;1000.00;\"\";;\r\n"
          + "12;2;930101;\"PRIJEM\";\"PREVOD Z UCTU\";250.50;250.50;\"DUCHOD\";\"AB\";\"123\"\r\n"
          + "13;1;930102;\"VYDAJ\";\"VYBER\";1200.00;-200.00;\" \";;\r\n"
          + "14;2;981231;\"VYBER\";\"VYBER\";50.5;200.00;\"\";;\r\n"
          + "15;1;930103;\"PRIJEM\";\"\";0.00;-200.00;\"UROK\";;\r\n";

  private final Commands commands = new Commands();

  @TempDir private Path directory;

  @Test
  void mapsRowsToTransfers() throws IOException {
    JsonNode report = imported(ROWS, ExitCode.OK);
    assertThat(report.get("created").longValue()).isEqualTo(5);
    assertThat(report.get("sums").get("credits").get("amount").stringValue()).isEqualTo("1250.50");
    assertThat(report.get("sums").get("debits").get("amount").stringValue()).isEqualTo("1250.50");
    assertThat(report.get("difference").get("amount").stringValue()).isEqualTo("0.00");

    Instant day = Instant.parse("1993-01-01T00:00:00Z");
    JsonNode transfer =
        commands.json("transfer show " + Ids.named(day, "berka:trans:12")).get("transfers").get(0);
    assertThat(transfer.get("debit").stringValue()).isEqualTo("berka:external");
    assertThat(transfer.get("credit").stringValue()).isEqualTo("berka:account:2");
    assertThat(transfer.get("asset").stringValue()).isEqualTo("CZK");
    assertThat(transfer.get("amount").stringValue()).isEqualTo("250.50");
    assertThat(transfer.get("effectiveAt").stringValue()).isEqualTo(day.toString());
    assertThat(transfer.get("code").intValue()).isEqualTo(2);
    assertThat(transfer.get("reference").stringValue()).isEqualTo("12");
    assertThat(transfer.get("metadata").get("k_symbol").stringValue()).isEqualTo("DUCHOD");
    assertThat(transfer.get("metadata").get("bank").stringValue()).isEqualTo("AB");
    assertThat(transfer.get("metadata").get("account").stringValue()).isEqualTo("123");
    assertThat(transfer.get("metadata").get("balance").stringValue()).isEqualTo("250.50");

    assertThat(balance("berka:account:1", "")).isEqualTo("-200.00");
    assertThat(balance("berka:account:1", " --effective 1993-01-01T00:00:00Z"))
        .isEqualTo("1000.00");
    assertThat(balance("berka:account:2", " --effective 1998-12-30T00:00:00Z")).isEqualTo("250.50");
    assertThat(balance("berka:external", "")).isEqualTo("0.00");
    assertThat(
            commands.ledger.account(new AccountId("berka:external")).orElseThrow().normal().name())
        .isEqualTo("DEBIT");
  }

  @Test
  void continuesAndRepeatsWithoutDoubling() throws IOException {
    String part = String.join("\r\n", ROWS.lines().limit(3).toList()) + "\r\n";
    assertThat(imported(part, ExitCode.OK).get("created").longValue()).isEqualTo(2);
    JsonNode rest = imported(ROWS, ExitCode.OK);
    assertThat(rest.get("created").longValue()).isEqualTo(3);
    assertThat(rest.get("exists").longValue()).isEqualTo(2);
    assertThat(commands.json("verify").get("transfers").longValue()).isEqualTo(5);
  }

  @Test
  void reportsRowsItCannotUnderstand() throws IOException {
    JsonNode report =
        imported(
            HEADER
                + "1;1;930101;\"CREDIT\";\"VKLAD\";1.00;1.00;\"\";;\n"
                + "2;1;930230;\"PRIJEM\";\"VKLAD\";1.00;1.00;\"\";;\n"
                + "3;1;93011;\"PRIJEM\";\"VKLAD\";1.00;1.00;\"\";;\n"
                + "4;1;930101;\"PRIJEM\";\"VKLAD\";1.001;1.00;\"\";;\n"
                + "5;x;930101;\"PRIJEM\";\"VKLAD\";1.00;1.00;\"\";;\n"
                + "6;1;930101;\"PRIJEM\";\"VKLAD\";1.00;NaN;\"\";;\n"
                + "7;1;930101;\"PRIJEM\";\"VKLAD\";1.00;1.00;\"\"\n"
                + "8;1;930101;\"PRIJEM\";\"NEW\";1.00;1.00;\"\";;\n"
                + "8;1;930101;\"PRIJEM\";\"NEW\";2.00;1.00;\"\";;\n",
            ExitCode.REFUSED);
    assertThat(report.get("malformed").longValue()).isEqualTo(7);
    assertThat(report.get("created").longValue()).isEqualTo(1);
    assertThat(report.get("refusals").get("EXISTS_DIFFERENT").longValue()).isEqualTo(1);
    assertThat(report.toString())
        .contains(
            "type: ", "on no calendar", "is not YYMMDD", "amount: ", "account_id: ", "balance: ");
  }

  @Test
  void refusesOtherFilesAndOtherLedgers() throws IOException {
    assertThat(run("a;b\n").exits(ExitCode.MISUSE).err()).contains("there is no column");
    assertThat(run("\"trans_id\";\"date\"\n").exits(ExitCode.MISUSE).err())
        .contains("the column account_id is missing");
    Commands other = new Commands();
    other.ok("asset register CZK --scale 3");
    Path file = Files.writeString(directory.resolve("trans.asc"), ROWS);
    assertThat(other.run("import berka " + file).exits(ExitCode.MISUSE).err()).contains("scale 3");
  }

  /** Run with -Dpartita.berka=FILE naming the first part of the real table. */
  @Test
  @EnabledIfSystemProperty(named = "partita.berka", matches = ".+")
  void addsUpOnTheRealData() {
    JsonNode report = commands.json("import berka " + System.getProperty("partita.berka"));
    assertThat(report.get("created").longValue()).isEqualTo(46_997);
    assertThat(report.get("sums").get("credits").get("amount").stringValue())
        .isEqualTo("176961254.80");
    assertThat(report.get("sums").get("debits").get("amount").stringValue())
        .isEqualTo("137664492.00");
    assertThat(report.get("balanceOfExternal").get("amount").stringValue())
        .isEqualTo("39296762.80");
  }

  private String balance(String account, String options) {
    return commands.json("balance " + account + options).get("balance").stringValue();
  }

  private JsonNode imported(String text, ExitCode expected) throws IOException {
    return run(text).exits(expected).json();
  }

  private Commands.Ran run(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("trans.asc"), text);
    return commands.run("import berka " + file + " --output json").withPlainError();
  }
}
