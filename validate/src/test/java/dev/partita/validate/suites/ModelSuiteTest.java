package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.Ledger;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.validate.Effort;
import dev.partita.validate.SuiteReport;
import java.io.IOException;
import java.math.BigInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelSuiteTest {

  private static final String AGREE = "ledger and auditor agree about random operations";

  private Runs runs;

  @BeforeEach
  void start() throws IOException {
    runs = new Runs();
  }

  @AfterEach
  void stop() throws IOException {
    runs.close();
  }

  @Test
  void holdsOnASoundLedger() {
    runs.held(new ModelSuite(), runs.embedded());
  }

  @Test
  @Tag("slow")
  void seesAWrongRunningBalance() {
    assertViolated(new ModelSuite(UnaryOperator.identity(), ModelSuiteTest::withWrongTenthBalance));
  }

  @Test
  @Tag("slow")
  void seesADeadlineThatIsOffByOne() {
    assertViolated(new ModelSuite(ModelSuiteTest::lateByOne, UnaryOperator.identity()));
  }

  private static Ledger withWrongTenthBalance(Ledger ledger) {
    return Proxies.proxy(
        Ledger.class,
        (method, arguments) -> {
          Object answer = Proxies.call(ledger, method, arguments);
          return answer instanceof PostResult result ? oneTooMuch(result) : answer;
        });
  }

  private static PostResult oneTooMuch(PostResult result) {
    return new PostResult(
        result.items().stream()
            .map(
                item ->
                    new PostResult.Item(
                        item.transfers().stream().map(ModelSuiteTest::oneTooMuch).toList()))
            .toList());
  }

  private static TransferResult oneTooMuch(TransferResult result) {
    if (result.status() != TransferStatus.CREATED
        || result.orThrow().creditAfter().version() != 10) {
      return result;
    }
    Transfer right = result.orThrow();
    AccountBalance after = right.creditAfter();
    Counters counters = after.counters();
    Amount more = Amount.ofMinor(counters.creditsPosted().toBigInteger().add(BigInteger.ONE));
    return TransferResult.created(
        new Transfer(
            right.request(),
            right.amount(),
            right.released(),
            right.last(),
            right.group(),
            right.code(),
            right.reference(),
            right.recordedAt(),
            right.debitAfter(),
            new AccountBalance(
                after.account(),
                after.asset(),
                after.normal(),
                after.version(),
                counters.with(Side.CREDIT, more, counters.creditsPending()))));
  }

  /** Connections on which a hold is due only after its deadline, not at it. */
  private static DataSource lateByOne(DataSource source) {
    return Proxies.rewriting(source, sql -> sql.replace("WHERE deadline <=", "WHERE deadline <"));
  }

  private void assertViolated(ModelSuite suite) {
    // As long as users run it: in a short run chance may not come near the fault.
    SuiteReport report = runs.violated(suite, Effort.NORMAL, runs.embedded(), AGREE);
    assertThat(report.violations().getFirst())
        .contains("ledger and auditor agree", "shortest series", "Rerun with");
  }
}
