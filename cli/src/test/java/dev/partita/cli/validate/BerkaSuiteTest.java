package dev.partita.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.Entry;
import dev.partita.MisuseException;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.embedded.ScratchDirectory;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Fact;
import dev.partita.validate.SuiteReport.Value;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BerkaSuiteTest {

  private static final String FOLLOWS = "running balances follow those of the bank row by row";

  /** Made up, in the form of the data: days out of order, and rounding. */
  private static final String[] ROWS = {
    "\"trans_id\";\"account_id\";\"date\";\"type\";\"operation\";\"amount\";\"balance\";\"k_symbol\";\"bank\";\"account\"",
    "1;1;930101;\"PRIJEM\";\"VKLAD\";1000.00;1000.00;\"\";;",
    "2;2;930101;\"PRIJEM\";\"VKLAD\";500.00;500.00;\"\";;",
    // As the bank had them: 5, 3, 6, 4.
    "3;1;930105;\"VYDAJ\";\"VYBER\";300.00;900.00;\"\";;",
    "4;1;930105;\"PRIJEM\";\"\";3.37;453.40;\"UROK\";;",
    "5;1;930105;\"PRIJEM\";\"VKLAD\";200.00;1200.00;\"\";;",
    "6;1;930105;\"VYBER\";\"VYBER\";450.00;450.00;\"\";;",
    // As the bank had them: 9, 8, 7. Beginning with 7 follows from the day before, but leads
    // nowhere.
    "7;2;930106;\"VYDAJ\";\"VYBER\";500.00;0.00;\"\";;",
    "8;2;930106;\"VYDAJ\";\"VYBER\";50.00;500.00;\"\";;",
    "9;2;930106;\"PRIJEM\";\"VKLAD\";50.00;550.00;\"\";;",
    "10;1;930107;\"VYDAJ\";\"VYBER\";453.40;0.00;\"\";;"
  };

  private static final String FILE = String.join("\n", ROWS) + "\n";

  private ScratchDirectory parent;

  @BeforeEach
  void makeParent() throws IOException {
    parent = ScratchDirectory.make();
  }

  @AfterEach
  void removeParent() throws IOException {
    parent.close();
  }

  @Test
  void findsTheBanksOrderWithinDaysAndAllowsForItsRounding() {
    SuiteReport report = run(FILE);
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.HELD);
    assertThat(report.facts())
        .contains(
            count("rows", 10),
            count("accounts", 2),
            count("rows that follow exactly", 9),
            count("rows that follow within the bank's rounding of 0.10", 1),
            count("rows that do not follow", 0),
            count("accounts that end exactly on the balance stated last", 1),
            text("largest difference that the bank's rounding adds up to", "0.03"),
            text("sum of credits", "1753.37"),
            text("sum of debits", "1753.40"));
  }

  @Test
  void seesABalanceThatDoesNotFollow() {
    String wrong = FILE.replace("450.00;450.00", "450.00;450.20");
    SuiteReport report = run(wrong);
    assertViolated(report);
    assertThat(report.violations().getFirst()).contains("berka:account:1");
  }

  @Test
  void seesALedgerWhoseRunningBalanceIsWrong() {
    assertViolated(run(FILE, entry -> entry.version() == 2 ? withAnotherCrown(entry) : entry));
  }

  @Test
  void doesWithoutAFileThatItCannotReadInWhole() {
    assertThatThrownBy(() -> run(FILE.replace("\"VYBER\";\"VYBER\"", "\"?\";\"?\"")))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("line 7 cannot be read");
  }

  @Test
  void saysThatDaysAreNotInOrder() {
    assertThatThrownBy(() -> run(ROWS[0] + "\n" + ROWS[10] + "\n" + ROWS[1] + "\n"))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("line 3 is of an earlier day");
  }

  private static Entry withAnotherCrown(Entry entry) {
    Transfer right = entry.transfer();
    AccountBalance after = entry.after();
    Counters counters = after.counters();
    Amount more =
        Amount.ofMinor(counters.posted(Side.CREDIT).toBigInteger().add(BigInteger.valueOf(100)));
    AccountBalance wrong =
        new AccountBalance(
            after.account(),
            after.asset(),
            after.normal(),
            after.version(),
            counters.with(Side.CREDIT, more, counters.pending(Side.CREDIT)));
    return new Entry(
        new Transfer(
            right.request(),
            right.amount(),
            right.released(),
            right.last(),
            right.group(),
            right.code(),
            right.reference(),
            right.recordedAt(),
            entry.side() == Side.DEBIT ? wrong : right.debitAfter(),
            entry.side() == Side.CREDIT ? wrong : right.creditAfter()),
        entry.side());
  }

  private SuiteReport run(String file) {
    return run(file, UnaryOperator.identity());
  }

  private SuiteReport run(String file, UnaryOperator<Entry> seen) {
    return Run.of(
        new BerkaSuite("-", new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), seen),
        1,
        Effort.SMOKE,
        new Place.Embedded(parent.path()),
        Watcher.NOBODY);
  }

  private static Fact count(String name, long value) {
    return new Fact(name, new Value.Count(value, ""));
  }

  private static Fact text(String name, String value) {
    return new Fact(name, new Value.Text(value));
  }

  private static void assertViolated(SuiteReport report) {
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.VIOLATED);
    assertThat(report.checks())
        .as(report.toString())
        .anySatisfy(
            check -> {
              assertThat(check.what()).isEqualTo(FOLLOWS);
              assertThat(check.failed()).isPositive();
            });
  }
}
